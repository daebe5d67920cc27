"""The collateral: contracts, prepayment, projection."""
