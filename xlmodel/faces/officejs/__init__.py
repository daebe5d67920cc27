"""Excel on Mac and on the web: an Office.js add-in, made from the registry, and its server."""
