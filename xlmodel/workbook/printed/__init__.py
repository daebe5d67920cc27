"""Printed tables: figures as a document prints them, and the rules by which some follow from others."""
