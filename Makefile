# make run    create the environment, regenerate workbooks/, print the table
# make test   install what the tests need (LibreOffice, Chromium and npm included), run them all
# Everything else is for people who work on xlmodel; see CONTRIBUTING.md.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
FAST := -m "not faces and not soak"

.PHONY: run test test-fast test-faces soak lint docs manual bench wheel workbooks pictures clean

run: $(VENV)/.run
	$(BIN)/xlmodel regenerate workbooks

test: $(VENV)/.dev
	.ci/system libreoffice-calc python3-uno poppler-utils chromium
	command -v npm >/dev/null || .ci/system nodejs npm
	$(BIN)/python -m pytest -n 2

test-fast: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2 --dist loadfile $(FAST)

test-faces: $(VENV)/.dev
	.ci/system libreoffice-calc python3-uno poppler-utils chromium
	command -v npm >/dev/null || .ci/system nodejs npm
	$(BIN)/python -m pytest -m faces

soak: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2 -m soak

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Pages and pictures that are made from the code: functions, commands, sheets, what a deal can say, errors.
docs: $(VENV)/.dev
	$(BIN)/python docs/generate.py

# The manual as a site in site/; no page asks anybody for anything.
manual: $(VENV)/.dev
	$(BIN)/python -m mkdocs build --strict --quiet

bench: $(VENV)/.dev
	.ci/system libreoffice-calc python3-uno poppler-utils
	$(PIP) install --quiet --constraint constraints.txt --editable '.[dev,bench]'
	$(BIN)/python -m benchmarks

# Fresh builds of every deal folder, with their values.
workbooks: $(VENV)/.run
	for folder in workbooks/*/; do $(BIN)/xlmodel build --force $$folder || exit; done

# The pictures of the README, from a copy in which our cells are frozen to their values.
pictures: $(VENV)/.dev
	.ci/system libreoffice-calc python3-uno poppler-utils xvfb xdotool imagemagick
	$(BIN)/python docs/pictures.py
	$(BIN)/python -m docs.pictures_calc

wheel: $(VENV)/.dev
	rm -rf dist
	$(BIN)/python -m build

clean:
	rm -rf $(VENV) dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "xlmodel needs Python 3.11 or later: make PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || .ci/system python3-venv
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install --quiet --constraint constraints.txt --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install --quiet --constraint constraints.txt --editable '.[dev,docs,server]'
	@touch $@ $(VENV)/.run
