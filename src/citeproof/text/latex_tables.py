"""Tables of LaTeX's commands and their meaning in text.

Sources: L. Lamport, *LaTeX*, tables 3.1-3.7 (accents, letters, Greek, operators, relations, arrows);
S. Pakin, *The Comprehensive LaTeX Symbol List*, tables 1-24 (text-mode symbols).
"""

from __future__ import annotations

import unicodedata


def _words(text: str) -> list[str]:
    return text.split()


ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304", ".": "\u0307",
    "H": "\u030b", "b": "\u0331", "c": "\u0327", "d": "\u0323", "k": "\u0328", "r": "\u030a", "t": "\u0361",
    "u": "\u0306", "v": "\u030c",
    # The same in math.
    "acute": "\u0301", "grave": "\u0300", "hat": "\u0302", "tilde": "\u0303", "ddot": "\u0308", "dot": "\u0307",
    "bar": "\u0304", "breve": "\u0306", "check": "\u030c", "vec": "\u20d7", "widehat": "\u0302", "widetilde": "\u0303",
}  # fmt: skip
"""Maps a command to the combining mark of its letter."""

LETTERS = {
    "aa": "å", "AA": "Å", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł",
    "ss": "ß", "SS": "SS", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "dj": "đ", "DJ": "Đ", "th": "þ", "TH": "Þ",
    "ng": "ŋ", "NG": "Ŋ", "imath": "ı", "jmath": "ȷ", "slash": "/", "textquotesingle": "'", "textquotedbl": '"',
    "textquoteright": "’", "textquoteleft": "‘", "textquotedblleft": "“", "textquotedblright": "”",
    "quotedblbase": "„", "quotesinglbase": "‚", "lq": "‘", "rq": "’", "guillemotleft": "«", "guillemotright": "»",
    "guillemetleft": "«", "guillemetright": "»", "textendash": "–", "textemdash": "—", "textbackslash": "\\",
    "emdash": "—", "endash": "–",
    "textasciitilde": "~", "textasciicircum": "^", "textasciigrave": "`", "textunderscore": "_", "textbar": "|",
    "textless": "<", "textgreater": ">", "textbraceleft": "{", "textbraceright": "}", "textdollar": "$",
    "textmu": "µ", "textdegree": "°", "textordmasculine": "º", "textordfeminine": "ª", "textexclamdown": "¡",
    "textquestiondown": "¿", "lbrace": "{", "rbrace": "}", "nobreakspace": " ", "space": " ", "textvisiblespace": " ",
    "enspace": " ", "quad": " ", "qquad": " ", "newline": " ", "linebreak": " ", "par": " ", "and": " and ",
    "nobreakdash": "", "hyphen": "-", "cyrchar": "",
}  # fmt: skip
"""Characters by command. A command consumes the white space after it, as in LaTeX."""

_GREEK = _words("""
    alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon
    phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega
""")


def _greek(name: str) -> str:
    case = "CAPITAL" if name[0].isupper() else "SMALL"
    return unicodedata.lookup(f"GREEK {case} LETTER {'LAMDA' if name.lower() == 'lambda' else name.upper()}")


SYMBOLS = {name: _greek(name) for name in _GREEK}
SYMBOLS |= {"text" + name: sign for name, sign in SYMBOLS.items()}
SYMBOLS |= {
    "varepsilon": "ε", "vartheta": "ϑ", "varpi": "ϖ", "varrho": "ϱ", "varsigma": "ς", "varphi": "φ", "digamma": "ϝ",
    "ldots": "…", "dots": "…", "cdots": "…", "dotsc": "…", "textellipsis": "…", "infty": "∞", "partial": "∂",
    "nabla": "∇", "ell": "ℓ", "hbar": "ℏ", "Re": "ℜ", "Im": "ℑ", "aleph": "ℵ", "wp": "℘", "emptyset": "∅",
    "varnothing": "∅", "forall": "∀", "exists": "∃", "neg": "¬", "lnot": "¬", "prime": "′", "top": "⊤", "bot": "⊥",
    "pm": "±", "mp": "∓", "times": "×", "div": "÷", "cdot": "·", "ast": "*", "star": "⋆", "circ": "∘", "bullet": "•",
    "cap": "∩", "cup": "∪", "wedge": "∧", "land": "∧", "vee": "∨", "lor": "∨", "setminus": "∖", "oplus": "⊕",
    "otimes": "⊗", "odot": "⊙", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠", "ne": "≠", "ll": "≪",
    "gg": "≫", "approx": "≈", "sim": "∼", "simeq": "≃", "cong": "≅", "equiv": "≡", "propto": "∝", "subset": "⊂",
    "supset": "⊃", "subseteq": "⊆", "supseteq": "⊇", "in": "∈", "notin": "∉", "ni": "∋", "mid": "∣", "parallel": "∥",
    "perp": "⊥", "models": "⊨", "vdash": "⊢", "to": "→", "rightarrow": "→", "leftarrow": "←", "gets": "←",
    "leftrightarrow": "↔", "Rightarrow": "⇒", "Leftarrow": "⇐", "Leftrightarrow": "⇔", "uparrow": "↑",
    "downarrow": "↓", "mapsto": "↦", "longrightarrow": "⟶", "hookrightarrow": "↪", "rightsquigarrow": "⇝",
    "sum": "∑", "prod": "∏", "int": "∫", "oint": "∮", "sqrt": "√", "angle": "∠", "triangle": "△", "square": "□",
    "Box": "□", "diamond": "⋄", "langle": "⟨", "rangle": "⟩", "lceil": "⌈", "rceil": "⌉", "lfloor": "⌊",
    "rfloor": "⌋", "lbrack": "[", "rbrack": "]", "vert": "|", "Vert": "‖", "colon": ":", "dag": "†", "ddag": "‡",
    "dagger": "†", "ddagger": "‡", "textdagger": "†", "S": "§", "P": "¶", "textsection": "§", "textparagraph": "¶",
    "pounds": "£", "textsterling": "£", "euro": "€", "texteuro": "€", "EUR": "€", "textyen": "¥", "textcent": "¢",
    "copyright": "©", "textcopyright": "©", "textregistered": "®", "registered": "®", "texttrademark": "™",
    "trademark": "™", "textbullet": "•", "textperiodcentered": "·", "texttimes": "×", "textdiv": "÷", "textpm": "±",
    "textonehalf": "½", "textonequarter": "¼", "textnumero": "№", "checkmark": "✓", "degree": "°", "flat": "♭",
    "natural": "♮", "sharp": "♯", "clubsuit": "♣", "diamondsuit": "♢", "heartsuit": "♡", "spadesuit": "♠",
    "TeX": "TeX", "LaTeX": "LaTeX", "LaTeXe": "LaTeX2e", "BibTeX": "BibTeX", "BIBTEX": "BibTeX", "XeTeX": "XeTeX",
    "backslash": "\\",
}  # fmt: skip
"""Commands for a sign or a word. White space behind them is kept as one space."""

ESCAPES = {
    "\\": " ", " ": " ", "\n": " ", "\t": " ", ",": " ", ";": " ", ":": " ", ">": " ", "!": "", "/": "", "-": "",
    "@": "", "*": "", "|": "‖",
}  # fmt: skip
"""Replacements of escaped characters that do not stand for themselves."""

VERBATIM = frozenset({"url", "nolinkurl", "path", "doi", "verb", "lstinline"})
"""Commands whose argument is not LaTeX."""

DROPPED_ARGUMENTS = {
    "href": 1, "textcolor": 1, "color": 1, "colorbox": 1, "noopsort": 1, "NoopSort": 1, "SortNoop": 1, "noop": 1,
    "label": 1, "vspace": 1, "hspace": 1, "vphantom": 1, "hphantom": 1, "phantom": 1, "hskip": 1, "raisebox": 1,
    "rule": 2, "fontsize": 2, "selectlanguage": 1, "foreignlanguage": 1, "begin": 1, "end": 1, "scalebox": 1,
    "hypersetup": 1, "fontfamily": 1, "fontseries": 1, "fontshape": 1, "newcommand": 1, "providecommand": 1,
    "renewcommand": 1, "index": 1, "thanks": 1, "linebreakpenalty": 1,
}  # fmt: skip
"""Commands whose first arguments are not text, with the number of these arguments. Later arguments stay."""

SEPARATED_ARGUMENTS = {"frac": "/", "tfrac": "/", "dfrac": "/", "nicefrac": "/", "sfrac": "/", "genfrac": ""}
"""Commands with two arguments, and the sign that is written between them."""

DECLARATIONS = frozenset(
    _words("""
    bf it em rm sc sf sl tt cal bfseries itshape mdseries rmfamily scshape sffamily slshape ttfamily upshape
    normalfont tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge boldmath unboldmath
    displaystyle textstyle scriptstyle limits nolimits left right big Big bigl bigr Bigl Bigr protect relax
    noindent centering raggedright sloppy fussy ignorespaces unskip xspace allowbreak nobreak nolinebreak
    nopagebreak penalty null strut hfill hfil leavevmode selectfont emph textbf textit texttt textrm textsc
    textsf mathrm mathbf mathit mathcal mathbb mathfrak mathsf mathtt boldsymbol bm uppercase lowercase
    """)
)
"""Commands that only change the look of text. They are removed, with or without an argument in braces."""
