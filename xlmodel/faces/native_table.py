"""Native functions whose values are known to be right here, and what each of their arguments takes.

A function is in ``NATIVE`` because LibreOffice, or a computation by hand, gave the same values for its cases
in ``tests/faces/native_cases.py``; every other function is refused by name.  The letters say, argument by
argument, ``s`` for a single value, ``r`` for a range, ``a`` for either with a result of the same shape; the
letters in parentheses repeat.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

_SINGLE = """
    ABS ACOS ACOSH ACOT ACOTH ADDRESS ARABIC ASIN ASINH ATAN ATAN2 ATANH BASE BIN2DEC BIN2HEX BIN2OCT
    BINOM.DIST BINOM.INV BINOMDIST BITAND BITLSHIFT BITOR BITRSHIFT BITXOR CEILING CEILING.MATH CHAR
    CHISQ.DIST CHISQ.DIST.RT CHISQ.INV CHISQ.INV.RT CLEAN CODE COLUMN COMBIN COMBINA CONFIDENCE.NORM COS
    COSH COT COTH CSC CSCH CUMIPMT CUMPRINC DATE DATEDIF DAY DAYS DAYS360 DDB DEC2BIN DEC2HEX DEC2OCT
    DECIMAL DEGREES DELTA DOLLARDE DOLLARFR EDATE EFFECT EOMONTH ERF ERF.PRECISE ERFC ERFC.PRECISE EVEN
    EXACT EXP EXPON.DIST F.DIST F.DIST.RT F.INV F.INV.RT FACT FACTDOUBLE FALSE FIND FISHER FISHERINV FIXED
    FLOOR FLOOR.MATH FV GAMMA GAMMALN GAMMALN.PRECISE GAUSS GESTEP HEX2BIN HEX2DEC HEX2OCT INT IPMT
    ISBLANK ISERR ISERROR ISEVEN ISLOGICAL ISNA ISNONTEXT ISNUMBER ISO.CEILING ISODD ISOWEEKNUM ISPMT
    ISTEXT LEFT LEN LN LOG LOG10 LOGNORM.DIST LOGNORM.INV LOWER MID MOD MONTH MROUND N NA NEGBINOM.DIST
    NOMINAL NORM.DIST NORM.INV NORM.S.DIST NORM.S.INV NORMDIST NORMINV NORMSDIST NORMSINV NOT NPER
    NUMBERVALUE OCT2BIN OCT2DEC OCT2HEX ODD PDURATION PERMUT PHI PI PMT POISSON POISSON.DIST POWER PPMT
    PROPER PV QUOTIENT RADIANS RATE REPLACE REPT RIGHT ROMAN ROUND ROUNDDOWN ROUNDUP ROW RRI SEARCH SEC
    SECH SIGN SIN SINH SLN SQRT SQRTPI STANDARDIZE SUBSTITUTE SWITCH SYD T T.DIST T.DIST.2T T.DIST.RT
    T.INV T.INV.2T TAN TANH TBILLEQ TBILLPRICE TBILLYIELD TEXT TRIM TRUE TRUNC UNICHAR UNICODE UPPER VALUE
    WEEKDAY WEIBULL.DIST YEAR YEARFRAC IFS CONCATENATE ERROR.TYPE
"""
_RANGES = """
    AND AVEDEV AVERAGE AVERAGEA COLUMNS CONCAT CORREL COUNT COUNTA COUNTBLANK COVAR COVARIANCE.P
    COVARIANCE.S DEVSQ GCD GEOMEAN HARMEAN INTERCEPT KURT LCM MAX MAXA MEDIAN MIN MINA MODE MODE.SNGL
    MULTINOMIAL OR PEARSON PRODUCT ROWS RSQ SKEW SKEW.P SLOPE STDEV STDEV.P STDEV.S STDEVA STDEVP STDEVPA
    STEYX SUM SUMPRODUCT SUMSQ SUMX2MY2 SUMX2PY2 SUMXMY2 VAR VAR.P VAR.S VARA VARP VARPA XOR MMULT
    TRANSPOSE
"""
_MIXED = {
    "AVERAGEIF": "rsr",
    "AVERAGEIFS": "r(rs)",
    "CHOOSE": "s(a)",
    "COUNTIF": "rs",
    "COUNTIFS": "(rs)",
    "DAVERAGE": "rsr",
    "DCOUNT": "rsr",
    "DCOUNTA": "rsr",
    "DGET": "rsr",
    "DMAX": "rsr",
    "DMIN": "rsr",
    "DSUM": "rsr",
    "FORECAST": "srr",
    "FORECAST.LINEAR": "srr",
    "FVSCHEDULE": "sr",
    "HLOOKUP": "srss",
    "IF": "aaa",
    "IFERROR": "aa",
    "IFNA": "ss",
    "INDEX": "rss",
    "IRR": "rs",
    "LARGE": "rs",
    "LOOKUP": "srr",
    "MATCH": "srs",
    "MAXIFS": "r(rs)",
    "MINIFS": "r(rs)",
    "MIRR": "rss",
    "NETWORKDAYS": "ssr",
    "NETWORKDAYS.INTL": "sssr",
    "NPV": "s(r)",
    "PERCENTILE": "rs",
    "PERCENTILE.EXC": "rs",
    "PERCENTILE.INC": "rs",
    "QUARTILE": "rs",
    "QUARTILE.EXC": "rs",
    "QUARTILE.INC": "rs",
    "RANK": "srs",
    "RANK.AVG": "srs",
    "RANK.EQ": "srs",
    "SERIESSUM": "sssr",
    "SMALL": "rs",
    "SUBTOTAL": "s(r)",
    "SUMIF": "rsr",
    "SUMIFS": "r(rs)",
    "TEXTJOIN": "ss(r)",
    "TRIMMEAN": "rs",
    "VLOOKUP": "srss",
    "WORKDAY": "ssr",
    "WORKDAY.INTL": "sssr",
    "XIRR": "rrs",
    "XLOOKUP": "srrsss",
    "XNPV": "srr",
}

NATIVE: Mapping[str, str] = {
    **dict.fromkeys(_SINGLE.split(), "(s)"),
    **dict.fromkeys(_RANGES.split(), "(r)"),
    **_MIXED,
}

# Reasons for the refusal of functions that are often met.
UNUSABLE: Mapping[str, str] = {
    "INDIRECT": "what it refers to is not known before evaluation",
    "OFFSET": "what it refers to is not known before evaluation",
    "TODAY": "it changes from day to day; put the date in an input cell",
    "NOW": "it changes with every evaluation; put the date in an input cell",
    "RAND": "it changes with every evaluation",
    "RANDBETWEEN": "it changes with every evaluation",
    "RANDARRAY": "it changes with every evaluation",
    "WEBSERVICE": "nothing is fetched",
    "DATEVALUE": "its value depends on the language of the machine",
    "CALL": "it calls another program",
    "REGISTER.ID": "it calls another program",
    "EXEC": "it calls another program",
}

MATCHED_RANGES = frozenset(("AVERAGEIFS", "COUNTIFS", "MAXIFS", "MINIFS", "SUMIFS"))
"""Functions whose ranges must have one shape, which the evaluator does not see to."""

TEXT_ARGUMENTS: Mapping[str, str] = {
    "CLEAN": "t",
    "CODE": "t",
    "CONCAT": "(t)",
    "CONCATENATE": "(t)",
    "EXACT": "tt",
    "FIND": "tt",
    "LEFT": "t",
    "LEN": "t",
    "LOWER": "t",
    "MID": "t",
    "PROPER": "t",
    "REPLACE": "t--t",
    "REPT": "t",
    "RIGHT": "t",
    "SEARCH": "tt",
    "SUBSTITUTE": "ttt",
    "TEXTJOIN": "t-(t)",
    "TRIM": "t",
    "UPPER": "t",
}
"""Where a function turns a number into a text."""

GIVE_TEXT = frozenset(
    [
        "ADDRESS",
        "CLEAN",
        "CONCAT",
        "CONCATENATE",
        "FIXED",
        "LEFT",
        "LOWER",
        "MID",
        "PROPER",
        "REPLACE",
        "REPT",
        "RIGHT",
        "ROMAN",
        "SUBSTITUTE",
        "T",
        "TEXT",
        "TEXTJOIN",
        "TRIM",
        "UNICHAR",
        "UPPER",
        "BASE",
    ]
)

EXACT = frozenset(
    [
        "ROUND",
        "ROUNDDOWN",
        "ROUNDUP",
        "INT",
        "TRUNC",
        "COUNT",
        "COUNTA",
        "COUNTBLANK",
        "COUNTIF",
        "COUNTIFS",
        "DATE",
        "DAY",
        "MONTH",
        "YEAR",
        "EDATE",
        "EOMONTH",
        "DAYS",
        "ROW",
        "ROWS",
        "COLUMN",
        "COLUMNS",
        "MATCH",
        "LEN",
        "FIND",
        "SEARCH",
        "SIGN",
        "QUOTIENT",
        "DATEDIF",
        "DAYS360",
        "WEEKDAY",
        "WORKDAY",
        "NETWORKDAYS",
        "MROUND",
        "CEILING",
        "FLOOR",
        "EVEN",
        "ODD",
        "FIXED",
        "TEXT",
        "CODE",
        "RANK",
        "FACT",
        "GCD",
        "LCM",
        "ISOWEEKNUM",
    ]
)
"""Functions whose results are whole numbers, or rounded, so that they can be compared."""
PASS_ON = frozenset(
    [
        "ABS",
        "IF",
        "IFERROR",
        "IFNA",
        "INDEX",
        "MAX",
        "MIN",
        "CHOOSE",
        "VLOOKUP",
        "HLOOKUP",
        "LOOKUP",
        "XLOOKUP",
    ]
)
"""Functions whose results are among their arguments."""

TEXT_FORMATS = frozenset(
    (
        "0",
        "0.0",
        "0.00",
        "0.000",
        "0.0000",
        "0.00000",
        "0.000000",
        "000",
        "#,##0",
        "#,##0.0",
        "#,##0.00",
        "0%",
        "0.0%",
        "0.00%",
        "0.000%",
        "yyyy-mm-dd",
        "mm/dd/yyyy",
        "mmmm d, yyyy",
        "mmm-yy",
        "d mmm yyyy",
        "mmm yyyy",
        "mmmm yyyy",
        "yyyy",
        "@",
    )
)
"""Formats of TEXT that were compared; others are refused."""

DATEDIF_UNITS = frozenset(("D", "M", "Y", "YM"))


def kinds(letters: str) -> Iterator[str]:
    """The letters of a row of ``NATIVE``, one for each argument, without end if they repeat."""
    before, _, repeated = letters.partition("(")
    yield from before
    repeated = repeated.removesuffix(")")
    while repeated:
        yield from repeated
