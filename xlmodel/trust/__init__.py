"""Allocation systems of agreements other than a deal's: a card master trust, a loan agreement."""
