"""Jinja programs that end in an attribute or item with a name that they put together.

program(random) returns (template, name): rendered by Jinja2 with `x` in its context, most of them read an
attribute of x with that name. The caller must check whether one does. disguised() writes the names of a program
in other characters, which Python reads as the same names.
"""

import re

NAMES = ("__globals__", "__subclasses__", "__mro__", "__bases__", "__builtins__", "__code__",
         "__dict__", "__closure__", "__func__", "__self__", "_context", "_environment", "_func")


class Program:
    """The statements so far, and a number for each new name."""

    def __init__(self, random):
        self.random = random
        self.statements = []
        self.names = 0

    def fresh(self):
        self.names += 1
        return self.random.choice(("a", "b", "v", "item", "name", "key")) + str(self.names)

    def add(self, statement):
        self.statements.append(statement)


def quoted(random, text):
    """A literal for a text, plain or with escapes."""
    how = random.randrange(8)
    if how == 0:
        text = "".join("\\x%02x" % ord(c) for c in text)
    elif how == 1:
        text = text.replace("_", random.choice(("\\x5f", "\\u005f", "\\137", "\\N{LOW LINE}")))
    elif how == 2 and len(text) > 1:
        at = random.randrange(1, len(text))
        return "'%s' '%s'" % (text[:at], text[at:])
    return "'%s'" % text if random.randrange(2) else '"%s"' % text


def cut(random, text, most=4):
    count = random.randint(2, max(2, min(most, len(text))))
    places = sorted(random.sample(range(1, len(text)), min(count - 1, len(text) - 1)))
    return [text[a:b] for a, b in zip([0] + places, places + [len(text)])]


# Each way takes (program, text, depth) and returns an expression with that text as its value.

def concatenation(p, text, depth):
    sign = p.random.choice((" ~ ", " + "))
    return "(" + sign.join(make(p, part, depth) for part in cut(p.random, text)) + ")"


def join_list(p, text, depth):
    parts = [make(p, part, depth - 1) for part in cut(p.random, text)]
    return p.random.choice(("[%s]|join", "[%s]|list|join('')", "''.join([%s])",
                            "[%s]|map('string')|join")) % ", ".join(parts)


def join_by(p, text, depth):
    if text.count("_") < 2:
        return join_list(p, text, depth)
    return "%s.join([%s])" % (make(p, "_", 0), ", ".join(quoted(p.random, t) for t in text.split("_")))


def percent(p, text, depth):
    parts = cut(p.random, text)
    pattern = "%s" * len(parts)
    values = ", ".join(make(p, part, depth - 1) for part in parts)
    return p.random.choice(("('%s' %% (%s,))", "('%s'|format(%s))")) % (pattern, values)


def percent_char(p, text, depth):
    return "('%s'|format(%s))" % ("%c" * len(text), ", ".join(str(ord(c)) for c in text))


def braces(p, text, depth):
    parts = cut(p.random, text)
    order = list(range(len(parts)))
    p.random.shuffle(order)
    values = [None] * len(parts)
    for place, part in zip(order, parts):
        values[place] = make(p, part, depth - 1)
    return "'%s'.format(%s)" % ("".join("{%d}" % i for i in order), ", ".join(values))


def fill(p, text, depth):
    inner = text.strip("_")
    if not inner or text != inner.center(len(text), "_"):
        return quoted(p.random, text)
    return p.random.choice(("'{:_^%d}'.format('%s')" % (len(text), inner),
                            "'%s'.center(%d, '_')" % (inner, len(text)),
                            "('%s'|center(%d)).replace(' ', '_')" % (inner, len(text)),
                            "'%s'.rjust(%d, '_').ljust(%d, '_')" % (inner, (len(text) + len(inner)) // 2,
                                                                     len(text))))


def replaced(p, text, depth):
    sign = p.random.choice("@#-xQ")
    if sign in text:
        return quoted(p.random, text)
    how = p.random.choice(("%s|replace('%s', '_')", "%s.replace('%s', '_')"))
    return how % (make(p, text.replace("_", sign), depth - 1), sign)


def removed(p, text, depth):
    sign = p.random.choice(("<b>", "Q", "zz"))
    at = p.random.randrange(1, len(text)) if len(text) > 1 else 0
    whole = text[:at] + sign + text[at:]
    if sign == "<b>":
        return "('%s'|striptags)" % whole
    return "'%s'.replace('%s', '')" % (whole, sign)


def reversed_text(p, text, depth):
    return p.random.choice(("(%s|reverse)", "(%s)[::-1]", "(%s|list|reverse|join)")) % make(
        p, text[::-1], depth - 1)


def sliced(p, text, depth):
    before, behind = "xyz"[:p.random.randrange(4)], "uvw"[:p.random.randrange(1, 4)]
    whole = make(p, before + text + behind, depth - 1)
    if p.random.randrange(3) == 0:
        return "(%s)[%d:][:%d]" % (whole, len(before), len(text))
    return "(%s)[%d:%d]" % (whole, len(before), len(before) + len(text))


def stripped(p, text, depth):
    how = p.random.choice(("'%s'.strip('x')", "'%s'|trim('x')", "'%s'.lstrip('x').rstrip('x')",
                           "'%s'.removeprefix('xx').removesuffix('x')"))
    return how % ("xx" + text + "x")


def cased(p, text, depth):
    return p.random.choice(("%s.lower()", "(%s|lower)", "%s.swapcase()")) % quoted(p.random, text.upper())


def pieces(p, text, depth):
    sign = p.random.choice(",;:")
    if p.random.randrange(2):
        return "'a%s%s%sb'.split('%s')[1]" % (sign, text, sign, sign)
    return "'a%s%s'.partition('%s')[2]" % (sign, text, sign)


def element(p, text, depth):
    one = make(p, text, depth - 1)
    return p.random.choice(("['a', %s][1]", "['a', %s]|last", "{'k': %s}['k']", "{'k': %s}.k",
                            "{'k': %s}.values()|first", "(%s,)|first", "['a', %s][-1]",
                            "dict(k=%s).k", "{'k': %s}.get('k')", "{}.get('k', %s)",
                            "[[%s]]|first|first", "['z', %s]|min", "{'k': %s}|dictsort|map('last')|first",
                            "[%s]|batch(1)|first|first", "[%s]|unique|first",
                            "{'k': %s}.setdefault('k', 'a')", "[%s].pop()", "[{'n': %s}]|map(attribute='n')|first",
                            "[{'n': %s}]|groupby('n')|map(attribute='grouper')|first")) % one


def otherwise(p, text, depth):
    one = make(p, text, depth - 1)
    return p.random.choice(("(missing|default(%s))", "(%s if true else 'a')", "('a' if false else %s)",
                            "('' or %s)", "(1 and %s)", "(none|default(%s, true))")) % one


def same(p, text, depth):
    return p.random.choice(("(%s|string)", "(%s|safe)", "(%s|trim)", "(%s|e)", "(%s|urlencode)",
                            "(%s|tojson)[1:-1]", "(%s|list|join)", "(%s|forceescape)|string",
                            "(%s).encode().decode()", "(%s|indent)", "(%s|wordwrap(99))",
                            "(%s|truncate(99))", "(%s|upper|lower)", "(%s).format()",
                            "(%s).expandtabs()", "(%s|pprint)[1:-1]", "({'k': %s}|xmlattr)[4:-1]"
                            )) % make(p, text, depth - 1)


def variable(p, text, depth):
    name = p.fresh()
    p.add(p.random.choice(("{%% set %s = %s %%}", "{%% set %s, other = %s, 1 %%}")) % (
        name, make(p, text, depth - 1)))
    return name


def field(p, text, depth):
    name = p.fresh()
    one = make(p, text, depth - 1)
    p.add(p.random.choice(("{%% set %s = namespace(f=%s) %%}",
                           "{%% set %s = namespace() %%}{%% set %s.f = %s %%}",
                           "{%% set %s = namespace({'f': %s}) %%}",
                           "{%% set %s = namespace(**{'f': %s}) %%}")).replace("%s.f", name + ".f")
          % (name, one))
    if p.random.randrange(3) == 0:
        other = p.fresh()
        p.add("{%% set %s = [%s] %%}" % (other, name))
        name = other + "[0]"
    return p.random.choice(("%s.f", "%s['f']")) % name


def captured(p, text, depth):
    name = p.fresh()
    inner = "".join(p.random.choice(("{{ %s }}" % make(p, t, depth - 1), t)) for t in cut(p.random, text))
    p.add(p.random.choice(("{%% set %s %%}%s{%% endset %%}", "{%% set %s | trim %%}%s{%% endset %%}",
                           "{%% set %s %%}{%% filter string %%}%s{%% endfilter %%}{%% endset %%}",
                           "{%% set %s %%}{%% if true %%}%s{%% endif %%}{%% endset %%}")) % (name, inner))
    return name


def macro(p, text, depth):
    name, one = p.fresh(), make(p, text, depth - 1)
    how = p.random.randrange(7)
    if how == 0:
        p.add("{%% macro %s() %%}{{ %s }}{%% endmacro %%}" % (name, one))
        return name + "()"
    if how == 1:
        p.add("{%% macro %s(y) %%}{{ y }}{%% endmacro %%}" % name)
        return p.random.choice(("%s(%s)", "%s(*[%s])", "%s(y=%s)", "%s(**{'y': %s})")) % (name, one)
    if how == 2:
        p.add("{%% macro %s() %%}{{ varargs|join }}{%% endmacro %%}" % name)
        return "%s(%s)" % (name, ", ".join(make(p, t, 0) for t in cut(p.random, text)))
    if how == 3 and text.isidentifier():
        p.add("{%% macro %s() %%}{{ kwargs|list|first }}{%% endmacro %%}" % name)
        return "%s(%s=1)" % (name, text)
    if how == 4:
        p.add("{%% macro %s(y=%s) %%}{{ y }}{%% endmacro %%}" % (name, one))
        return name + "()"
    if how == 5:
        p.add("{%% macro %s() %%}{{ caller() }}{%% endmacro %%}" % name)
        out = p.fresh()
        p.add("{%% set %s %%}{%% call %s() %%}{{ %s }}{%% endcall %%}{%% endset %%}" % (out, name, one))
        return out
    p.add("{%% macro %s(l) %%}{%% if l %%}{{ l[0] }}{{ %s(l[1:]) }}{%% endif %%}{%% endmacro %%}" % (
        name, name))
    return "%s([%s])" % (name, ", ".join(make(p, t, 0) for t in cut(p.random, text)))


def loop(p, text, depth):
    name, one = p.fresh(), p.fresh()
    parts = cut(p.random, text)
    how = p.random.randrange(6)
    if how == 0:
        p.add("{%% set %s = namespace(s='') %%}{%% for %s in [%s] %%}{%% set %s.s = %s.s ~ %s %%}{%% endfor %%}"
              % (name, one, ", ".join(make(p, t, 0) for t in parts), name, name, one))
        return name + ".s"
    if how == 1:
        p.add("{%% set %s = namespace(s='') %%}{%% for %s in '%s' %%}{%% set %s.s = %s ~ %s.s %%}{%% endfor %%}"
              % (name, one, text[::-1], name, one, name))
        return name + ".s"
    if how == 2:
        p.add("{%% set %s %%}{%% for %s in '%s' if %s != 'Q' %%}{{ %s }}{%% endfor %%}{%% endset %%}"
              % (name, one, "Q".join(parts), one, one))
        return name
    if how == 3:
        p.add("{%% set %s = namespace(s='') %%}{%% for %s in ['a', %s, 'b'] %%}{%% if loop.last %%}"
              "{%% set %s.s = loop.previtem %%}{%% endif %%}{%% endfor %%}"
              % (name, one, make(p, text, depth - 1), name))
        return name + ".s"
    if how == 4:
        p.add("{%% set %s = [] %%}{%% for %s in [%s] %%}{%% set _ = %s.append(%s) %%}{%% endfor %%}"
              % (name, one, ", ".join(make(p, t, 0) for t in parts), name, one))
        return name + "|join"
    p.add("{%% set %s %%}{%% for %s in [[%s, []]] recursive %%}{{ %s[0] }}{{ loop(%s[1]) }}"
          "{%% endfor %%}{%% endset %%}" % (name, one, make(p, text, depth - 1), one, one))
    return name


def stored(p, text, depth):
    name, one = p.fresh(), make(p, text, depth - 1)
    statements, access = p.random.choice((
        ("{% set N = [] %}{% set _ = N.append(E) %}", "[0]"),
        ("{% set N = ['a'] %}{% set _ = N.insert(0, E) %}", "[0]"),
        ("{% set N = {} %}{% set _ = N.update({'k': E}) %}", ".k"),
        ("{% set N = {'k': 'a'} %}{% set _ = N.update(k=E) %}", "['k']"),
        ("{% set N = [] %}{% set M = N %}{% set _ = M.extend([E]) %}", "|first")))
    p.add(statements.replace("N", name).replace("M", p.fresh()).replace("E", one))
    return name + access


def engine(p, text, depth):
    name = p.fresh()
    how = p.random.randrange(6)
    if how == 0:
        return "cycler(%s, 'a').next()" % make(p, text, depth - 1)
    if how == 1 and text.isidentifier():
        return "dict(%s=1)|list|first" % text
    if how == 2 and text.isidentifier() and not text.startswith("__"):
        p.add("{%% macro %s() %%}{%% endmacro %%}" % text)
        return text + ".name"
    if how == 3 and text.isidentifier() and not text.startswith("__"):
        p.add("{%% macro %s(%s) %%}{%% endmacro %%}" % (name, text))
        return name + ".arguments[0]"
    if how == 4:
        p.add("{%% set %s = {'f': cycler} %%}" % name)
        return "%s.f(%s).next()" % (name, make(p, text, depth - 1))
    p.add("{%% block %s %%}{{ %s }}{%% endblock %%}" % (name, make(p, text, 0)))
    return "self.%s()" % name


def bytes_of(p, text, depth):
    number = int.from_bytes(text.encode(), "big")
    return "(%d).to_bytes(%d, 'big').decode()" % (number, len(text))


def translated(p, text, depth):
    return "'%s'.translate({64: 95})" % text.replace("_", "@")


def powers(p, text, depth):
    """Runs of underscores by multiplication."""
    inner = text.strip("_")
    if not inner or "_" in inner or not text.startswith("_"):
        return quoted(p.random, text)
    left = len(text) - len(text.lstrip("_"))
    right = len(text) - len(text.rstrip("_"))
    return "('_' * %d ~ %s ~ '_' * %d)" % (left, make(p, inner, depth - 1), right)


def numeric(p, text, depth):
    """Results of a filter or operator of numbers besides numbers."""
    value = make(p, text, depth - 1)
    return p.random.choice((
        "('z'|int(%s))", "('z'|float(%s))", "('z'|int(*[%s]))", "('z'|int(default=%s))", "(['z']|map('int', %s)|first)",
        "(({%s: 1}.keys() - [])|first)", "({}.fromkeys(['count'], %s.lower).count())")) % value


def keyword(p, text, depth):
    """The name of an argument, which becomes a key."""
    if not text.isidentifier():
        return make(p, text, depth - 1)
    name = p.fresh()
    p.add(p.random.choice(("{% set N = {} %}{% set _ = N.update(T=1) %}",
                           "{% set N = {'k': {}} %}{% set _ = N.setdefault('k', {}).update(T=1) %}{% set N = N.k %}",
                           "{% set N = dict(T=1) %}")).replace("N", name).replace("T", text))
    return "(%s|list|first)" % name


def rebound(p, text, depth):
    """Names of the engine that the template redefines."""
    value, name = make(p, text, depth - 1), p.fresh()
    function = p.random.choice(("range", "dict", "cycler", "strftime_now", "namespace"))
    statements, use = p.random.choice((
        ("{% set loop = {'index': E} %}{% set N = loop.index %}", "N"),
        ("{% set F = E.strip %}{% set N = F() %}", "N"),
        ("{% for F in [E.strip] %}{% set ns = namespace() %}{% endfor %}{% macro N(F) %}{{ F() }}{% endmacro %}", "N(E.strip)"),
        ("{% macro F(a) %}{{ E }}{% endmacro %}{% set N = F('%d') %}", "N"),
        ("{% macro N() %}{{ kwargs.count() }}{% endmacro %}", "N(count=E.strip)"),
        ("{% set N = [] %}{% set M = N.append %}{% set _ = M(E) %}", "N[0]"),
        ("{% set N = {} %}{% set _ = N['update']({'k': E}) %}", "N.k"),
        ("{% set N = [] %}{% set _ = ([N.append]|first)(E) %}", "N[0]"),
        ("{% macro N(M) %}{% macro N(z) %}{% endmacro %}{{ M }}{% endmacro %}", "N(E)"),
        ("{% macro M(a) %}{{ a }}{% endmacro %}{% set N = {'F': M}.F(a=E) %}", "N"),
        ("{% macro M(a) %}{{ a }}{% endmacro %}{% set N = namespace() %}{% for F in [M] %}{% set N.v = F(a=E) %}{% endfor %}", "N.v"),
        ("{% macro N(a=M) %}{{ a }}{% endmacro %}{% set M = E %}", "N()")))
    p.add(statements.replace("N", name).replace("M", p.fresh()).replace("F", function).replace("E", value))
    return use.replace("N", name).replace("E", value)


def hidden(p, text, depth):
    """Values that hide a text, or the macro that receives it."""
    value, name = make(p, text, depth - 1), p.fresh()
    written = "{% macro M(a) %}{{ a }}{% endmacro %}"
    statements, use = p.random.choice((
        (written, "[M].pop()(E)"), (written, "joiner(M).sep(E)"), (written, "([M]|slice(1)|first)[0](E)"),
        (written, "dict.fromkeys('f', M).f(E)"), (written, "{'f': M}.keys().mapping.f(E)"),
        (written, "cycler(M).items[0](E)"), (written + "{% set N = [M, [E].sort][0] %}", "N(E)"),
        ("{% set N = namespace(v=0) %}{% macro M(a) %}{% set N.v = a %}{% endmacro %}"
         "{% if [E].sort(key=M) %}{% endif %}", "N.v"),
        ("{% macro M() %}{{ kwargs.caller(E) }}{% endmacro %}"
         "{% set N %}{% call(a) M() %}{{ a }}{% endcall %}{% endset %}", "N"),
        ("{% set N = {'k': 0} %}{% set M = N %}{% set M.k %}{{ E }}{% endset %}", "N.k"),
        ("{% set N = {'k': E}.keys().mapping.k %}", "N"), ("{% set N = cycler(E).items[0] %}", "N"),
        ("{% set N = joiner(E).sep %}", "N"), ("{% set not = '' %}{% set N = E ~ not %}", "N"),
        ("{% set (N) %}{{ E }}{% endset %}", "N"), ("{% set N = 0b0or(E) %}", "N"),
        ("{% set N = [] if 1 else 1 %}{% set N = N + [E] %}", "N[0]"),
        ("{% set N = [] %}{% set _ = N.append(namespace(a=E)) %}", "(N|map(attribute='a')|first)")))
    other = p.fresh()
    p.add(statements.replace("N", name).replace("M", other).replace("E", value))
    return use.replace("N", name).replace("M", other).replace("E", value)


WAYS = (concatenation, join_list, join_by, percent, percent_char, braces, fill, replaced, removed,
        reversed_text, sliced, stripped, cased, pieces, element, otherwise, same, variable, field,
        captured, macro, loop, stored, engine, bytes_of, translated, powers, numeric,
        keyword, rebound, hidden)


def make(p, text, depth):
    if depth <= 0 or not text:
        return quoted(p.random, text)
    return p.random.choice(WAYS)(p, text, depth)


# The places where a name is used.
ENDS = ("x[%s]", "x[%s]", "x[%s]", "x[%s]", "{'k': x}.k[%s]", "[x]|map(attribute=%s)|list",
        "[x]|map(**{'attribute': %s})|list", "[x, x]|groupby(%s)", "[x, x]|sort(attribute=%s)",
        "[x, x]|sort(false, false, %s)", "[x]|sum(attribute=%s)", "[x, x]|min(attribute=%s)",
        "[x, x]|unique(attribute=%s)|list", "[x]|join(',', %s)", "[x]|join(*[',', %s])",
        "[x]|selectattr(%s)|list", "[x]|rejectattr(%s, 'none')|list", "x|attr(%s)",
        "[x]|map('attr', %s)|list", "('{0.' ~ %s ~ '}').format(x)", "[[x]]|map('map', attribute=%s)|map('list')|list",
        "[[x]]|map('sum', %s)|list", "('{0.%%s}' %% %s).format(x)", "[[x]]|map('join', ',', %s)|list")


def end(p, expression):
    code = p.random.choice(ENDS) % expression
    name = p.fresh()
    return p.random.choice(("{{ %s }}" % code, "{%% set %s = %s %%}" % (name, code),
                            "{%% if %s %%}{%% endif %%}" % code, "{%% for %s in [%s] %%}{%% endfor %%}" % (name, code),
                            "{{ [%s]|length }}" % code, "{%% with %s = %s %%}{%% endwith %%}" % (name, code),
                            "{{ 1 if %s }}" % code,
                            "{%% macro %s() %%}{{ %s }}{%% endmacro %%}{{ %s() }}" % (name, code, name)))


def bound(p, text, depth):
    """An end in a macro, a call or a loop, whose variable holds the name."""
    one, name, item = make(p, text, depth), p.fresh(), p.fresh()
    how = p.random.randrange(9)
    use = "{{ x[%s] }}" % item
    if how == 0:
        return "{%% macro %s(%s) %%}%s{%% endmacro %%}{{ %s(%s) }}" % (name, item, use, name, one)
    if how == 1:
        return "{%% macro %s(%s) %%}%s{%% endmacro %%}{%% set d = {'f': %s} %%}{{ d.f(%s) }}" % (
            name, item, use, name, one)
    if how == 2:
        return "{%% macro %s() %%}{{ caller(%s) }}{%% endmacro %%}{%% call(%s) %s() %%}%s{%% endcall %%}" % (
            name, one, item, name, use)
    if how == 3:
        return "{%% for %s in [%s] %%}%s{%% endfor %%}" % (item, one, use)
    if how == 4:
        return "{%% for q, %s in [[1, %s]] %%}%s{%% endfor %%}" % (item, one, use)
    if how == 5:
        return "{%% for %s in ['a'] recursive %%}%s{%% if %s == 'a' %%}{{ loop([%s]) }}{%% endif %%}{%% endfor %%}" % (
            item, use, item, one)
    if how == 6:
        return "{%% macro %s(%s) %%}%s{%% endmacro %%}{{ [%s][0](%s) }}" % (name, item, use, name, one)
    if how == 7:
        return "{%% macro %s(%s) %%}%s{%% endmacro %%}{%% set f = %s %%}{{ f(*[%s]) }}" % (
            name, item, use, name, one)
    return "{%% with %s = %s %%}%s{%% endwith %%}" % (item, one, use)


# Characters that Python's NFKC normalizes to each letter; every mathematical alphabet would work as well.
FORMS = {"a": "\u00aa\u1d43", "o": "\u00ba\u1d52", "s": "\u017f", "i": "\u2170\u1d62", "n": "\u207f", "_": "\uff3f"}
WORD = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|(?<![|.])\b[A-Za-z_]\w*")
TAGS = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.S)


def other_form(random, name):
    """A name that Python compiles to the same one."""
    places = random.sample(range(len(name)), random.randint(1, len(name)))
    # A name may begin only with a letter, for Python and Jinja2.
    forms = [FORMS.get(c, "") + (chr(0xFF41 + ord(c) - ord("a")) + chr(0x1D41A + ord(c) - ord("a"))
                                if "a" <= c <= "z" else "") for c in name]
    return "".join(random.choice(forms[i]) if i in places and forms[i] and (i or name[0] != "_") else c
                   for i, c in enumerate(name))


def disguised(random, template, reserved):
    """The program with some of its names in another form, at any position of a name: variables, targets of set, for
    and with, parameters, named arguments, fields, attributes."""
    share = random.choice((0.1, 0.3, 1))

    def word(found):
        text = found.group(0)
        kept = text[0] in "'\"" or text in reserved or random.random() > share
        return text if kept else other_form(random, text)

    return TAGS.sub(lambda tag: WORD.sub(word, tag.group(0)), template)


def program(random):
    p = Program(random)
    name = random.choice(NAMES)
    depth = random.randint(1, 4)
    if random.randrange(3) == 0:
        last = bound(p, name, depth)
    else:
        last = end(p, make(p, name, depth))
    return "".join(p.statements) + last, name
