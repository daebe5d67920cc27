"""What an originator reports about its receivables: rates, allowance, past due, matrices, funding."""
