"""The .xlsx file as a package of parts: XML only, no finance."""
