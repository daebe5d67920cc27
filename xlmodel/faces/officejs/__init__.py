"""Excel on Mac and on the web: the Office.js add-in, made from the registry, and the small server behind it."""
