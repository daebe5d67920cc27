"""LibreOffice Calc: the add-in made from the registry, and sessions of soffice that use it.

Three of the files run inside LibreOffice: ``loader.py`` and ``session.py``, copied beside the add-in and
written for any Python that it carries, and ``component.py``, which needs the one of this environment.
"""
