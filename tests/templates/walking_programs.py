"""Programs with macros that call themselves, alone and in rings, with various arguments and conditions.

walk(source) makes one. The argument of the program is data as deep as the walks go, so an endless walk crashes
an engine.
"""

DATA = ("messages", "messages[0]", "messages[0].content", "d", "d.a", "'ab'", "[]", "{}", "[d]", "x")
SETUP = ("{% set d = {'a': {'a': {'type': 'a', 'b': [1, {'a': 2}]}, 'b': 'xyz', 'type': 'object'}, 'b': [[1], {'a': []}],"
         " 'type': 'object', 'y': 1, 'items': {'type': 'a'}} %}{% set k = messages[0].get('k', 0) %}")
KEYS = ("a", "b", "type", "y", "x", "role", "content", "items")
LITERALS = ("'a'", "''", "{}", "{'type': 'any'}", "{'type': 'any'}", "[]", "{'a': 1}", "['a']", "0", "1", "none", "true", "messages", "d", "x")
TESTS = ("defined", "not defined", "undefined", "none", "not none", "mapping", "string", "number", "iterable", "sequence",
         "not mapping", "not string", "boolean", "true")


def path(source, roots):
    text = source.choice(roots)
    for _ in range(source.choice((0, 1, 1, 1, 2, 3))):
        key = source.choice(KEYS)
        text += source.choice((".%s", "['%s']", ".%s", ".%s", ".%s", ".get('%s')", ".get('%s', {})", ".get('%s', 'a')")) % key
        if source.random() < 0.05:
            text += source.choice(("[0]", "[-1]", "[1:]", "[:-1]", "[0:]", "[:2]", "[k]", "[t]", "[loop.index0]"))
    if source.random() < 0.08:
        text += source.choice(("|first", "|last", "|items", "|list", "|dictsort", "|default('a')", "|default({})", "|default([])",
                               "|string", "|upper", "|trim", "|reverse", "|sort", "|tojson", ".items()", ".keys()", ".values()"))
    return text


def handed(source, roots):
    how = source.randrange(20)
    first = path(source, roots)
    if how < 15:
        return first
    how -= 10
    other = source.choice((path(source, roots), source.choice(LITERALS)))
    if how == 5:
        return "(%s or %s)" % (first, other)
    if how == 6:
        return "(%s if %s else %s)" % (first, condition(source, roots, 0), other)
    if how == 7:
        return source.choice(("{'a': %s}", "[%s]", "{'type': %s}", "dict(a=%s)", "({'a': %s}).a", "[%s][0]", "{'a': %s, 'b': {}}")) % first
    if how == 8:
        return "(%s and %s)" % (first, other)
    return source.choice((other, "%s ~ 'a'" % first, "%s + %s" % (first, other), "(%s, %s)|first" % (first, other)))


def condition(source, roots, deep=1):
    how = source.randrange(11 if deep > 0 else 8)
    of = path(source, roots)
    if how < 2:
        return of
    if how == 2:
        return "%s is %s" % (of, source.choice(TESTS))
    if how == 3:
        return "%s %s %s" % (of, source.choice(("==", "!=", "==")), source.choice(("'object'", "'a'", "'any'", "''", "0", "none", "1")))
    if how == 4:
        return "%s|length %s %s" % (of, source.choice(("==", ">", ">=", "!=", "<")), source.choice("0112"))
    if how == 5:
        return "'%s' %s %s" % (source.choice(KEYS), source.choice(("in", "in", "not in")), of)
    if how == 6:
        return "%s %s ['object', '%s']" % (of, source.choice(("in", "not in")), source.choice(("a", "any")))
    if how == 7:
        return source.choice(("messages", "x", "true", "d.y", "%s|upper == 'OBJECT'" % of, "%s|length" % of))
    if how == 8:
        return "not %s" % condition(source, roots, deep - 1)
    return source.choice(("%s and %s", "%s or %s", "(%s or %s)", "not (%s and %s)")) % (
        condition(source, roots, deep - 1), condition(source, roots, deep - 1))


def call(source, names, roots):
    name, parameters = source.choice(names)
    arguments = [handed(source, roots) for _ in range(source.choice((parameters, parameters, 1)))]
    if source.random() < 0.1 and parameters == 2:
        arguments[-1] = "t=" + arguments[-1]
    text = "%s(%s)" % (name, ", ".join(arguments))
    how = source.randrange(12)
    if how == 0:
        return "{{ %s if %s }}" % (text, condition(source, roots))
    if how == 1:
        return "{{ 'a' if %s else %s }}" % (condition(source, roots), text)
    if how == 2:
        return "{%% call %s %%}a{%% endcall %%}" % text
    if how == 3:
        return source.choice(("{%% set v = %s %%}", "{%% set v = %s, 1 if s else 2 %%}", "{%% for u in %s if s %%}{%% endfor %%}")) % text
    return "{{ %s }}" % text


def body(source, names, roots, deep):
    pieces = []
    for _ in range(source.choice((1, 1, 1, 1, 2))):
        how = source.randrange(9) if deep > 0 else 8
        if how < 3:
            pieces.append("{%% if %s %%}%s" % (condition(source, roots), body(source, names, roots, deep - 1)))
            while source.random() < 0.3:
                pieces.append("{%% elif %s %%}%s" % (condition(source, roots), body(source, names, roots, deep - 1)))
            if source.random() < 0.3:
                pieces.append("{%% else %%}%s" % body(source, names, roots, deep - 1))
            pieces.append("{% endif %}")
        elif how < 5:
            pieces.append("{%% for %s in %s %%}%s" % (source.choice(("u", "k, u", "v")), path(source, roots),
                                                   body(source, names, roots + ("u", "v"), deep - 1)))
            if source.random() < 0.2:
                pieces.append("{%% else %%}%s" % body(source, names, roots, deep - 1))
            pieces.append("{% endfor %}")
        elif how == 5:
            name = source.choice(("v", "v", "u", "s") if source.random() < 0.3 else ("v",))
            pieces.append("{%% set %s = %s %%}%s" % (name, handed(source, roots), body(source, names, roots + ("v", "v"), deep - 1)))
        elif how == 6 and source.random() < 0.3:
            pieces.append("{%% with v = %s %%}%s{%% endwith %%}" % (handed(source, roots), body(source, names, roots + ("v",), deep - 1)))
        else:
            pieces.append(call(source, names, roots))
    return "".join(pieces)


def walk(source):
    """A program whose macros walk their arguments, most of them under a condition."""
    names = [("w", source.choice((1, 1, 2)))]
    if source.random() < 0.25:
        names.append(("m", source.choice((1, 2))))
    text = SETUP
    for name, parameters in names:
        roots = ("s", "s", "s", "t") if parameters == 2 else ("s",)
        text += "{%% macro %s(%s) %%}%s{%% endmacro %%}" % (
            name, ", ".join(("s", "t")[:parameters]), body(source, names, roots, source.choice((1, 2, 2))))
    name, parameters = names[0]
    arguments = [source.choice(DATA)] + [source.choice(("messages", "d", "1"))][:parameters - 1]
    return text + "{{ %s(%s) }}" % (name, ", ".join(arguments))
