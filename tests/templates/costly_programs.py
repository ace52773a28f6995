"""Jinja programs that cost an engine too much, each with a similar one that costs little.

PROGRAMS has pairs of templates; FORMS their parts: a form, the text for `@` that makes it costly, and the text
that makes it cheap (None: there is none).
"""

WIDE = "1000000000"
HUGE = "9999*9999*9999"
LONG = "'" + 60000 * "x" + "'"
TEN = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"
LOOP = "{% set ns = namespace(a='ab\"', l=[1], d={}, i=2) %}{% for i in range(40) %}@{% endfor %}{{ ns.a ~ ns.l ~ ns.i }}"

VARIABLES = "".join("{%% set v%d = 1 %%}" % i for i in range(600))
FIELDS = ", ".join("a%d=1" % i for i in range(2600))
IDEOGRAPHS = "".join(chr(0x4e00 + i) for i in range(6000))
TOLD = "{% set s = messages|tojson %}"
COUNTER = "{% set ns = namespace(n=1) %}{% set l = [1] %}"
USES = ("{% for a in l %}{% for b in l %}{% for c in l %}xxxxxxxxxx{% endfor %}{% endfor %}{% endfor %}"
        "{% for a in range(ns.n) %}{% for b in range(ns.n) %}{% for c in range(ns.n) %}xxxxxxxxxx{% endfor %}{% endfor %}{% endfor %}")


def nested(loop, depth):
    return loop * depth + "x" + "{% endfor %}" * depth


def chained(first, link, times, last=""):
    return first + link * times + last


def macros(depth):
    return "".join("{%% macro m%d() %%}{{ m%d() }}{%% endmacro %%}" % (i, i + 1) for i in range(depth)) + "{{ m0() }}"


def within(body):
    return LOOP.replace("@", body)


FORMS = (
    # widths and counts, spelled out or computed
    ("{{ '%*d' % (@, 1) }}", WIDE, None), ("{{ '%.*f'|format(@, 1) }}", WIDE, None),
    ("{{ '%(a)@s' % {'a': 1} }}", WIDE, "10"), ("{{ '%(a)-0@d'|format(a=1) }}", WIDE, "10"), ("{{ '%@d' % 1 }}", WIDE, "10"),
    ("{{ '{:{}}'.format(1, @) }}", WIDE, None), ("{{ '{0:{w}}'.format(1, w=@) }}", WIDE, None),
    ("{{ '{:>@}'.format(1) }}", WIDE, "10"), ("{{ '{:.@f}'.format(1.5) }}", "100000000", "10"),
    ("{{ {'a': 1}|tojson(indent=@) }}", WIDE, "4"), ("{{ messages|tojson(indent=@) }}", WIDE, "4"),
    ("{{ [messages]|map('tojson', indent=@)|list }}", WIDE, "4"), ("{{ tojson(messages, indent=@) }}", "100000000000", "4"),
    ("{{ messages.tojson(indent=@) }}", "100000000000", "4"), ("{{ {'a': 1}|tojson(**{'indent': @}) }}", WIDE, "4"),
    ("{{ 5|round(@) }}", "-100000000", "-2"), ("{{ 5|round(precision=@) }}", "-10**8", "2"),
    ("{{ [1.5]|map('round', @)|list }}", "-10**8", "2"),
    ("{{ 'x'.center(@) }}", WIDE, "99"), ("{{ 'x'|center(@) }}", "10**9", "99"), ("{{ 'x'.ljust(@) }}", WIDE, "99"),
    ("{{ 'x'.rjust(@) }}", "999999999 + 1", "9 + 1"), ("{{ 'x'.zfill(@) }}", WIDE, "99"),
    ("{{ ['x']|map('center', @)|list }}", WIDE, "99"), ("{{ 'x\ny'|indent(@) }}", WIDE, "4"),
    ("{{ 'x'|indent(width=@, first=true) }}", WIDE, "4"), ("{{ [1]|batch(@, 0)|list }}", WIDE, "9"),
    ("{{ [1]|slice(@)|list|length }}", WIDE, "9"), ("{{ '\t'.expandtabs(@) }}", WIDE, "8"),
    ("{{ 'x' * @ }}", "10**9", "99"), ("{{ 'x' * @ }}", "('1000000000'|int)", "('10'|int)"),
    ("{{ 'x' * (@|int) }}", "999999999.5", "9.5"), ("{{ 'x' * (@|int) }}", "('9' ~ '99999' ~ '999')", "'9'"),
    ("{{ 'x' * @ }}", "([1000000000]|max)", "([10]|max)"), ("{{ 'x' * @ }}", "([500000000, 500000000]|sum)", "([5, 5]|sum)"),
    ("{{ 'x' * @ }}", "(10**10 // 10)", "(100 // 10)"), ("{{ 'x' * @ }}", "((1 / 0.000000001)|int)", "((9 / 2)|int)"),
    ("{{ 'x' * @ }}", "('3b9aca00'|int(0, 16))", "('10'|int)"), ("{{ 'x' * @ }}", "(messages|length * 1000000000)", "(messages|length * 2)"),
    ("{{ 'x' * @ }}", "('1e9'|float|int)", "(messages|length)"), ("{{ ([0] * @)|length }}", WIDE, "99"),
    ("{{ 2 ** @ }}", WIDE, "9"), ("{{ (1).to_bytes(@, 'big')|length }}", WIDE, "9"),
    # texts and lists that double
    (within("@"), "{% set ns.a = ns.a.replace('a', 'aa') %}", "{% set ns.a = ns.a.replace('a', 'b') %}"),
    (within("@"), "{% set ns.a = ns.a|replace('a', 'bb')|replace('b', 'aa') %}", "{% set ns.a = ns.a|replace('a', 'b')|replace('b', 'a') %}"),
    (within("@"), "{% set ns.a = ns.a|replace('a', 'bb') %}{% set ns.a = ns.a|replace('b', 'a a') %}", "{% set ns.a = ns.a|replace('a', 'cc') %}"),
    (within("@"), "{% set ns.a = ns.a|replace('', 'xx') %}", "{% set ns.a = ns.a|replace('xx', '') %}"),
    (within("@"), "{% set ns.l = ns.l + ns.l %}", "{% set ns.l = ns.l + [i] %}"), (within("@"), "{% set ns.l = ns.l * 2 %}", "{% set ns.l = [i] * 2 %}"),
    (within("@"), "{% set x = ns.l.extend(ns.l) %}", "{% set x = ns.l.extend([i]) %}"),
    ("{% set l = [1] %}{% for i in range(40) %}{% set x = l.extend(@) %}{% endfor %}", "l", "[i]"),
    (within("@"), "{% set ns.l = [ns.l, ns.l] %}", "{% set ns.l = [i, ns.i] %}"),
    (within("@"), "{% set ns.d = {'a': ns.d, 'b': ns.d} %}", "{% set ns.d = {'a': ns.a, 'b': ns.a} %}"),
    (within("@"), "{% set ns.a = ns.a|tojson %}", "{% set x = ns.a|tojson %}"), (within("@"), "{% set ns.a = '' ~ [ns.a] %}", "{% set x = '' ~ [ns.a] %}"),
    (within("@"), "{% set ns.a = [ns.a]|string %}", "{% set ns.a = ns.a|string %}"), (within("@"), "{% set ns.a = ns.a|pprint %}", "{% set ns.a = ns.a|trim %}"),
    (within("@"), "{% set ns.a = ns.a.join('abc') %}", "{% set ns.a = ns.a.strip('c') %}"),
    (within("@"), "{% set ns.a = ns.a.join(['x', 'y', 'z']) %}", "{% set ns.a = [ns.a, 'x']|join %}"),
    (within("@"), "{% set ns.a = ns.a.translate({97: 'aa'}) %}", "{% set ns.a = ns.a.swapcase() %}"),
    (within("@"), "{% set ns.a = ns.a|wordwrap(1, true, 'ab') %}", "{% set ns.a = ns.a|wordwrap(9) %}"),
    (within("@"), "{% set ns.a = '%s%s'|format(ns.a, ns.a) %}", "{% set ns.a = '%s%s'|format(ns.a, i) %}"),
    (within("@"), "{% set ns.a = '{0}{0}'.format(ns.a) %}", "{% set ns.a = '{0}{1}'.format(ns.a, i) %}"),
    (within("@"), "{% set ns.a %}{{ ns.a }}{{ ns.a }}{% endset %}", "{% set ns.a %}{{ ns.a }}{{ i }}{% endset %}"),
    (within("@"), "{% set ns.i = ns.i * ns.i %}", "{% set ns.i = ns.i + 1 %}"), (within("@") + "{{ 'x' * ns.i }}", "{% set ns.i = ns.i + ns.i %}", "{% set ns.i = ns.i + 1 %}"),
    ("{% macro d(s) %}{{ s }}@{% endmacro %}" + within("{% set ns.a = d(ns.a) %}"), "{{ s }}", "{{ 1 }}"),
    ("{% macro w(s) %}{{ caller(s) }}@{% endmacro %}" + within("{% set ns.a %}{% call(t) w(ns.a) %}{{ t }}{% endcall %}{% endset %}"), "{{ caller(s) }}", "-"),
    ("{% set a = [] %}" + 40 * "@" + "{{ a }}", "{% set a = [a, a] %}", "{% set a = [1, 2] %}"),
    ("{% set a = 'x' %}" + 40 * "@" + "{{ a }}", "{% set a = a ~ a %}", "{% set a = a ~ 'x' %}"),
    ("{% set a = 'x' %}" + 40 * "@" + "{{ a }}", "{% set a = a|replace('x', 'xx') %}", "{% set a = a|replace('x', 'y') %}"),
    ("{% set a %}" + "x" * 9000 + "{% endset %}{% set b = a|replace('x', @) %}{{ b|replace('x', @) }}", "a", "'y'"),
    ("{% macro m() %}{{ big|replace('x', @) }}{% endmacro %}{% set big = 'x' * 40000 %}{{ m() }}", "big", "'y'"),
    ("{% macro m(s) %}{{ s|replace('x', @) }}{% endmacro %}{{ m('x' * 20000) }}{{ m(s='x' * 20000) }}", "s", "'y'"),
    ("{{ " + LONG + "|join(@) }}", LONG, "'-'"), ("{{ range(9000)|join(@) }}", LONG, "'-'"), ("{{ " + LONG + "|wordwrap(1, true, @) }}", LONG, "'-'"),
    ("{{ range(9000)|map('center', @)|join }}", "9000", "9"),
    # loops within loops, macros and blocks
    ("@", nested("{% for a in range(9000) %}", 2), nested("{% for a in range(90) %}", 2)), ("@", nested("{% for a in " + TEN + " %}", 10), nested("{% for a in " + TEN + " %}", 2)),
    ("{% set l = " + TEN + " %}@", nested("{% for a in l %}", 10), nested("{% for a in l %}", 2)),
    ("{% set l = range(1000)|list %}@", nested("{% for a in l %}", 3), nested("{% for a in l %}", 1)),
    ("@", nested("{% for a in 'abcdefghij' %}", 10), nested("{% for a in 'abcdefghij' %}", 2)),
    ("@", nested("{% for a in 'abcdefghij'|list %}", 10), nested("{% for a in 'abcdefghij'|list %}", 2)),
    ("@", nested("{% for a in 'a b c d e f g h i j'.split(' ') %}", 10), nested("{% for a in 'a b c d'.split(' ') %}", 2)),
    ("{% set d = dict(a=1, b=2, c=3, d=4, e=5, f=6, g=7, h=8) %}@", nested("{% for a in d %}", 12), nested("{% for a in d %}", 2)),
    ("@", nested("{% for a in {'a': 1, 'b': 2, 'c': 3, 'd': 4}.items() %}", 20), nested("{% for a in {'a': 1, 'b': 2}.items() %}", 2)),
    ("{% set m = messages %}@", nested("{% for a in (m, m, m, m, m, m, m, m) %}", 12), nested("{% for a in (m, m) %}", 2)),
    ("{% macro m() %}{% for b in range(@) %}x{% endfor %}{% endmacro %}{% for a in range(@) %}{{ m() }}{% endfor %}", "9000", "30"),
    ("{% macro a() %}{% for i in range(@) %}x{% endfor %}{% endmacro %}{% macro b() %}{% for i in range(@) %}{{ a() }}{% endfor %}{% endmacro %}"
     "{% macro c() %}{% for i in range(@) %}{{ b() }}{% endfor %}{% endmacro %}{{ c() }}", "300", "9"),
    ("{% macro m() %}{% for i in range(@) %}{{ caller() }}{% endfor %}{% endmacro %}" + "{% call m() %}" * 4 + "x" + "{% endcall %}" * 4, "99", "4"),
    ("{% set l = [] %}{% for i in range(@) %}{% set x = l.append(i) %}{% endfor %}{% for a in l %}{% for b in l %}x{% endfor %}{% endfor %}", "9000", "40"),
    ("{% set ns = namespace(l=[]) %}{% for i in range(@) %}{% set ns.l = ns.l + [i] %}{% endfor %}{% for a in ns.l %}{% for b in ns.l %}x{% endfor %}{% endfor %}", "9000", "9"),
    ("{% set ns = namespace(t='') %}{% for i in range(@) %}{% set ns.t = ns.t ~ 'xxxxxxxxxxxxxxxxxxxx' %}{% endfor %}{{ ns.t }}", "9000", "90"),
    ("{% set ns = namespace(t='', u='') %}{% for i in range(@) %}{% set ns.u = ns.t ~ 'xxx' %}{% set ns.t = ns.u %}{% endfor %}{{ ns.t }}", "9000", "90"),
    ("{{ range(@)|list|length }}", "10**9", "10**2"), ("{{ range(messages|length, @)|list|length }}", "10**9", "10**2"),
    ("{{ range(messages|length - @, 5)|list|length }}", "10**9", "2"),
    # recursion
    ("{% macro f(n) %}{% if n %}{{ f(@) }}{% endif %}{% endmacro %}{{ f(messages) }}", "5", "n.rest"), ("{% macro f(n) %}{% if n %}{{ f(@) }}{% endif %}{% endmacro %}{{ f(messages) }}", "n|length - 1", "n.rest"),
    ("{% macro f(n) %}{% if n %}{{ f(@) }}{% endif %}{% endmacro %}{{ f(messages) }}", "messages[0]", "n.rest"),
    ("{% macro a(n) %}{% if n %}{{ b(@) }}{% endif %}{% endmacro %}{% macro b(n) %}{% if n %}{{ a(@) }}{% endif %}{% endmacro %}{{ a(messages) }}", "9", "n.rest"),
    ("{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}@{% endmacro %}{{ a() }}", "{{ a() }}", "-"),
    # chains, which engines nest
    ("{{ @ }}", chained("1", "+1", 8000), chained("1", "+1", 90)), ("{{ @ }}", chained("'a'", "~'a'", 8000), chained("'a'", "~'a'", 90)),
    ("{{ @ }}", chained("a", " and a", 8000), chained("a", " and a", 20)), ("{{ @ }}", chained("1", " < 1", 8000), chained("1", " < 1", 2)),
    ("{{ @ }}", chained("a", ".b", 8000), chained("messages", ".b", 1)), ("{{ @ }}", chained("a", "|d", 8000), chained("a", "|d", 20)),
    ("{{ @ }}", chained("a", "()", 8000), "dict()"), ("{{ @ }}", chained("a", " is defined", 8000), chained("a", " is defined", 1)),
    ("{{ @ }}", chained("", "a if b else ", 5000, "c"), chained("", "a if b else ", 20, "c")),
    ("{{ @ }}", "(" * 60 + "1" + ("+1" * 200 + ")") * 60, "(" * 9 + "1" + ("+1" * 9 + ")") * 9),
    ("{% if a %}@{% endif %}", "{% elif b %}" * 20000, "{% elif b %}" * 200), ("@", macros(5000), macros(50).replace("{{ m50() }}", "")),
    ("{% set a = [] %}@{{ a }}", "{% set a = [a] %}" * 20000, "{% set a = [1] %}" * 20),
    # operators and filters that Jinja2 tries to evaluate when it compiles them
    ("{{ @ }}", chained("a", "+1", 300), chained("a", "+1", 60)), ("{{ @ }}", chained("a", "|d", 190), chained("a", "|d", 60)),
    ("{{ @ }}", chained("a", " * 2", 500), chained("a", " * 2", 9)), ("@", chained("", "{{ a|d|d" + "|d" * 90 + " }}", 20), "{{ a|d|d }}"),
    ("{{ @ }}", "[" * 60 + "a" + "|d|d|d]" * 60, "[" * 20 + "a" + "|d]" * 20), ("{{ @ }}", chained("a", ".b", 300), chained("messages", ".b", 1)),
    # containers put into themselves
    ("{% set a = [] %}{% set x = a.append(@) %}{{ a }}", "a", "1"), ("{% set a = [] %}{% set x = a.append(@) %}{{ a }}", "[a]", "[1]"),
    ("{% set a = [] %}{% set b = [] %}{% set x = a.append(b) %}{% set x = b.append(@) %}{{ a }}", "a", "1"),
    ("{% set a = [] %}{% set b = a %}{% set x = b.append(@) %}{{ a }}", "a", "1"), ("{% set a = {} %}{% set x = a.update({'k': @}) %}{{ a }}", "a", "1"),
    ("{% set ns = namespace(x=1) %}{% set ns.x = @ %}{{ ns|tojson if ns.y else ns.z }}", "ns", "[ns.x]"), ("{% set ns = namespace() %}{% set ns.x = @ %}{{ ns.x|length }}", "[ns]", "[1]"),
    ("{% set ns = namespace() %}{% set m = namespace(n=@) %}{% set ns.x = m %}", "ns", "1"), ("{% set ns = namespace(l=[]) %}{% set x = ns.l.append(@) %}{{ ns.l }}", "ns.l", "1"),
    ("{% set a = [[]] %}{% set x = a[0].append(@) %}{{ a }}", "a", "1"), ("{% set a = [[]] %}{% set b = a[0] %}{% set x = b.append(@) %}{{ a }}", "a", "1"),
    ("{% macro p(l, x) %}{% set y = l.append(x) %}{% endmacro %}{% set a = [] %}{{ p(a, @) }}{{ a }}", "a", "1"),
    ("{% set a = [] %}{% for x in @ %}{% set y = a.append(x) %}{% endfor %}{{ a }}", "[a]", "messages"),
    ("{% set ns = namespace(a=[]) %}{% for m in messages %}{% set ns.a = {'x': @} %}{% endfor %}{{ ns.a }}", "ns.a", "m.role"),
    # divisors and numbers that engines cannot handle
    ("{{ 4 is divisibleby(@) }}", "0", "2"), ("{{ 4 is divisibleby @ }}", "0", "2"), ("{{ [1]|select('divisibleby', @)|list }}", "0", "2"),
    ("{{ [1]|reject('divisibleby', @)|list }}", "1 - 1", "2"), ("{{ [{'a': 1}]|selectattr('a', 'divisibleby', @)|list }}", "0", "2"),
    ("{% set z = @ %}{{ 4 is divisibleby(z) }}", "0", "2"), ("{{ 4 is divisibleby(@) }}", "messages|length - messages|length", "3"),
    ("{% set t = 'divisibleby' %}{{ [1]|select(t, @)|list }}", "0", "2"), ("{{ (-9223372036854775807 - 1) is divisibleby(@) }}", "-1", "3"),
    ("{{ 4 is divisibleby(num=@) }}", "0", "2"), ("{{ 1 % @ }}", "0", "2"), ("{{ 1 // @ }}", "0", "2"), ("{{ 1 / @ }}", "0", "2"),
    ("{{ @ }}", "test_is_divisibleby(1, 0)", "1"),
    ("{{ range(@)|list }}", "9223372036854775800, 9223372036854775807, 10", "0, 7, 10"), ("{{ 'abc'[::@] }}", "-9223372036854775807 - 1", "-1"),
    # numbers that go through operations that are not followed
    ("{{ 'x' * {'a': @}.a }}", WIDE, "9"), ("{{ 'x' * {'a': @}['a'] }}", WIDE, "9"), ("{{ 'x' * {'a': @}.get('a') }}", WIDE, "9"),
    ("{{ 'x' * (zz|default(@)) }}", WIDE, "9"), ("{% for k, v in {'a': @}.items() %}{{ 'x' * v }}{% endfor %}", WIDE, "9"),
    ("{% for k, v in {'a': @}|dictsort %}{{ 'x' * v }}{% endfor %}", WIDE, "9"), ("{{ 'x' * (@|round|int) }}", "1e9", "9.5"),
    ("{% set ns = namespace(**{'n': @}) %}{{ 'x' * ns.n }}", WIDE, "9"), ("{% macro m() %}{{ 'x' * kwargs.n }}{% endmacro %}{{ m(n=@) }}", WIDE, "9"),
    ("{% macro m() %}{{ 'x' * varargs[0] }}{% endmacro %}{{ m(@) }}", WIDE, "9"), ("{% set c = cycler(@, 1) %}{{ 'x' * c.next() }}", WIDE, "9"),
    ("{% for i in [1, 2] %}{{ 'x' * loop.cycle(@, 1) }}{% endfor %}", WIDE, "9"), ("{{ 'x' * (strftime_now(@)|int) }}", "'%s'", "'%d'"),
    ("{{ 'x' * (messages|length) ** @ }}", "9", "2"), ("{% for i in range((messages|length) ** @) %}x{% endfor %}", "9", "2"),
    ("{% set n = messages|length %}{{ 'x' * (@) }}", "n*n*n*n*n*n", "n*n"), ("{{ '9999999999999999999'|int(0, 16) ** @ }}", "9999", "1"),
    # texts that become longer from each other
    ("{% set ns = namespace(a='x', b='x') %}{% for i in range(@) %}{% set ns.a = ns.a ~ 'x' %}{% set ns.b = ns.b ~ ns.a %}{% endfor %}{{ ns.b }}", "900", "40"),
    ("@", "{% filter replace('a', 'aaaa') %}" * 40 + "a" + "{% endfilter %}" * 40, "{% filter upper %}" * 40 + "a" + "{% endfilter %}" * 40),
    ("{% set s = 'a' %}@{{ s }}", "{% set s | replace('a', 'aa') %}{{ s }}{% endset %}" * 40, "{% set s | trim %}{{ s }}{% endset %}" * 40),
    ("{% macro d(x) %}{{ x }}{{ x }}{% endmacro %}{% set a = 'x' %}@{{ a }}", "{% set a = d(a) %}" * 40, "{% set a = d(a) %}" * 4),
    (within("@"), "{% with p = ns.a, q = ns.a %}{% set ns.a = p ~ q %}{% endwith %}", "{% with p = ns.a, q = i %}{% set ns.a = p ~ q %}{% endwith %}"),
    (within("@"), "{% set p = ns.a %}{% set q = ns.a %}{% set ns.a = p ~ q %}", "{% set p = ns.a %}{% set q = i %}{% set ns.a = p ~ q %}"),
    (within("@"), "{% set p %}{{ ns.a }}{% endset %}{% set q %}{{ ns.a }}{% endset %}{% set ns.a = p + q %}", "{% set p %}{{ ns.a }}{% endset %}{% set q %}{{ i }}{% endset %}{% set ns.a = p + q %}"),
    (within("@"), "{% set b = ns.a %}{% for j in range(2) %}{% set ns.a = ns.a ~ b %}{% endfor %}", "{% set b = i %}{% for j in range(2) %}{% set ns.a = ns.a ~ b %}{% endfor %}"),
    (within("@"), "{% set ns.a = (ns|string) ~ (ns|string) %}", "{% set x = (ns|string) ~ (ns|string) %}"),
    (within("@"), "{% set ns.l = ns.get('l') + ns.get('l') %}", "{% set x = ns.get('l') %}"), (within("@"), "{% set ns.a = [ns]|join ~ [ns]|join %}", "{% set x = [ns]|join %}"),
    ("{% set m = messages[0].content %}@{{ m }}", "{% set m = m ~ m %}" * 40, "{% set m = m ~ 'x' %}" * 40),
    ("{% set s = 'a' %}{% for i in range(60) %}@{% endfor %}{{ s }}", "{% set s = s ~ s %}", "{% set s = 'b' %}{% set s = s ~ s %}"),
    ("{% set s = 'a' %}{% for i in range(60) %}@{% set s = s ~ s %}{% endfor %}", "{% if i == 0 %}{% set s = 'b' %}{% endif %}", "{% if i == 0 %}{% set s = 'b' %}{% else %}{% set s = 'c' %}{% endif %}"),
    ("{{ ('\t' * 9000).expandtabs(@) }}", "9999", "8"), ("@", "{{ ('x' * 90000)|wordwrap(9)|length }}" * 7, "{{ ('x' * 9000)|wordwrap(9)|length }}" * 2),
    # long output, or many rounds without effect
    ("{{ tool_calls }}@", "{{ '<a>' * 60000 }}" * 4, "{{ '<a>' * 600 }}" * 4), ("{% for m in messages %}{{ '<a>' * @ }}{% endfor %}", "60000", "600"),
    ("@", "{{''[0:1]}}" * 80000, "{{''[0:1]}}" * 800), ("@", "{%for i in[]%}{%endfor%}" * 40000, "{%for i in[]%}{%endfor%}" * 400), ("@", "{##}" * 200000, "{##}" * 2000),
    # walks of constants, blocks and loops that call themselves
    ("{% macro w(s) %}{% if s is mapping %}{{ w(s.a) }}@{% endif %}{% endmacro %}{{ w(messages[0]) }}{{ w(" + "{'a':" * 30 + "1" + "}" * 30 + ") }}", "{{ w(s.a) }}", "-"),
    ("@", "".join("{%% block b%d %%}{{ self.b%d() }}{{ self.b%d() }}{%% endblock %%}" % (i, i + 1, i + 1) for i in range(25)) + "{% block b25 %}x{% endblock %}",
     "{% block b0 %}{{ self.b1() }}{% endblock %}{% block b1 %}x{% endblock %}"),
    ("{% for x in " + "[" * 30 + "1" + "]" * 30 + " recursive %}@{% endfor %}", "{{ loop(x) }}{{ loop(x) }}", "-"),
    # macros, blocks and loops that write more than their arguments
    ("{% macro d(s) %}{{ @ }}{{ s }}{% endmacro %}" + within("{% set ns.a = d(ns.a) %}"), "ns.a", "ns.i"),
    (within("{% set ns.a = d() %}") + "{% macro d() %}{{ @ }}{{ ns.a }}{% endmacro %}", "ns.a", "ns.i"),
    ("{% macro d() %}{{ @ }}{% endmacro %}{% macro e() %}{{ d() }}{% endmacro %}" + within("{% set ns.a = e() ~ ns.a %}"), "ns.a", "ns.i"),
    ("{% macro d() %}{{ @ }}{% endmacro %}" + within("{% set f = [d][0] %}{% set ns.a = f() ~ ns.a %}"), "ns.a", "ns.i"),
    ("{% macro d() %}{% set y = @ %}{{ y }}{{ y }}{% endmacro %}" + within("{% set ns.a = d() %}"), "ns.a", "ns.i"),
    ("{% macro d(q) %}{% if q %}{% set y = @ %}{% else %}{% set y = @ %}{% endif %}{{ y }}{{ y }}{% endmacro %}" + within("{% set ns.a = d(i) %}"), "ns.a", "ns.i"),
    ("{% macro d() %}{% for j in [1, 2] %}{{ @ }}{% endfor %}{% endmacro %}" + within("{% set ns.a = d() %}"), "ns.a", "ns.i"),
    ("{% macro d() %}{% set n = namespace(a='') %}{% set n = @ %}{{ n.a }}{% endmacro %}" + within("{% set ns.a = d() ~ ns.a %}"), "ns", "namespace(a='')"),
    ("{% macro d() %}{% set n = namespace() %}{% with n = @ %}{{ n.a }}{% endwith %}{% endmacro %}" + within("{% set ns.a = d() ~ ns.a %}"), "ns", "namespace(a='')"),
    ("{% macro d(s=@) %}{{ s }}{{ s }}{% endmacro %}" + within("{% set ns.a = d() %}"), "ns.a", "ns.i"),
    ("{% macro d() %}{{ varargs[0] }}@{% endmacro %}" + within("{% set ns.a = d(ns.a) %}"), "{{ varargs[0] }}", "-"),
    ("{% macro d() %}{{ kwargs.x }}@{% endmacro %}" + within("{% set ns.a = d(x=ns.a) %}"), "{{ kwargs.x }}", "-"),
    ("{% macro m() %}{{ caller() }}{{ @ }}{% endmacro %}" + within("{% set x %}{% call m() %}{{ ns.a }}{% endcall %}{% endset %}{% set ns.a = x %}"), "ns.a", "ns.i"),
    ("{% set a = 'ab' %}{% macro d() %}{{ a }}@{% endmacro %}{% for i in range(40) %}{% set a = d() %}{% endfor %}{{ a }}", "{{ a }}", "-"),
    ("{% block b %}{{ @ }}{% endblock %}" + within("{% set ns.a = self.b() ~ ns.a %}"), "ns.a", "ns.i"),
    ("{% set ns = namespace(a='ab', i=2) %}{% for i in range(40) recursive %}{{ @ }}{% if i > 0 %}{% set ns.a = ns.a ~ loop(messages) %}{% endif %}{% endfor %}", "ns.a", "ns.i"),
    # elements that double, and containers that macros add to
    (within("{% set x = ns.l.append(@) %}"), "ns.l[-1] ~ ns.l[-1]", "i ~ 'x'"), ("{% set l = ['a'] %}{% for i in range(40) %}{% set x = l.append(@) %}{% endfor %}", "l.pop() * 2", "l.pop()"),
    ("{% set l = [] %}{% macro m() %}{% set x = l.append(1) %}{% endmacro %}{% for i in range(@) %}{{ m() }}{% endfor %}{% for a in l %}{% for b in l %}x{% endfor %}{% endfor %}", "3000", "30"),
    ("{% set n = namespace(i=1) %}{% macro m() %}{% set n.i = n.i + 1 %}{% endmacro %}{% for i in range(@) %}{{ m() }}{% endfor %}{% for a in range(n.i) %}{% for b in range(n.i) %}x{% endfor %}{% endfor %}", "3000", "30"),
    # conditions, comparisons and searches
    ("{% macro m() %}{% for j in range(90) %}y{% endfor %}{% endmacro %}{% for i in range(@) if m() == 'y' %}x{% endfor %}", "9000", "9"),
    ("{% set s = 'a' * 30000 %}{% for i in range(3000) %}{{ @ }}{% endfor %}", "s == 'y'", "i == 2"), ("{% set s = 'a' * 30000 %}{% for i in range(3000) %}{{ @ }}{% endfor %}", "s is eq('y')", "i is eq(2)"),
    ("{% set s = 'a' * 30000 %}{% for i in range(3000) %}{{ @ }}{% endfor %}", "s|length", "i|length if 0"), ("{% set l = range(9000)|list %}{% for i in range(3000) %}{{ @ }}{% endfor %}", "'q' in l", "i in [1, 2]"),
    ("{{ ('a' * 50000 ~ 'b') in @ }}", "'a' * 99999", "'a' * 9"), ("{{ ('a' * 70000).find(@) }}", "'a' * 50000 ~ 'b'", "'ab'"),
    ("{% for i in range(900) %}{% if @ %}{% endif %}{% endfor %}", "1" + "==1" * 900, "1==1"), ("{% macro m() %}{% endmacro %}{% for i in range(900) %}{{ m(@) }}{% endfor %}", ",".join("1" * 5000), "1"),
    ("@{% for i in range(30) %}{% for j in range(50) %}{% endfor %}{% endfor %}", "".join("{%% set a%d = 1 %%}" % i for i in range(4000)), "{% set a1 = 1 %}"),
    ("{{ ('<>' * @)|striptags }}", "99999", "9"), ("{% for i in range(3000) %}{{ (i + 7) ** @ }}{% endfor %}", "99999", "2"),
    # filters of blocks, escapes of escapes, defaults
    ("{% set y = 'x' * 40000 %}{% filter replace('x', y) %}@{% endfilter %}", "x" * 900, "a"), ("{% filter list|map('center', @)|join %}" + "x" * 900 + "{% endfilter %}", "99999", "9"),
    ("{% set s = '\\\\' %}@{{ s|length }}", "{% set s = [s]|string %}" * 24, "{% set s = [s]|string %}" * 2), ("{% set s = '\\\\' %}@{{ s|length }}", "{% set s = '%r' % [s] %}" * 24, "{% set s = '%r' % [s] %}" * 2),
    ("{% set s = 'x' %}@{{ s|length }}", "{% set s = s.split('x')|string %}" * 40, "{% set s = s.split('x')|string %}" * 2), ("{% set s = 'x' %}@{{ s|length }}", "{% set s = (s|list) ~ '' %}" * 14, "{% set s = (s|list) ~ '' %}" * 2),
    ("{{ range(9000)|map(attribute='zz', default=@)|join }}", LONG, "'-'"), ("{{ range(9000)|map('default', @)|list|length }}", LONG, "'-'"), ("{{ {}.fromkeys(range(9000), @)|string|length }}", LONG, "'-'"),
    ("{{ ('x' * 9000).translate({120: @}) }}", LONG, "'y'"), ("{% set s = 'x' %}@{{ s|length }}", "{% set s = s.encode('utf-32').hex() %}" * 12, "{% set s = s.encode('utf-32').hex() %}"),
    # loops over texts of the engine, and loops that pass constants to themselves
    ("@", nested("{% for a in (1/3)|string %}", 9), nested("{% for a in (1/3)|string %}", 2)),
    ("@", nested("{% for a in cycler(1, 1, 1, 1, 1, 1, 1, 1).items %}", 9), nested("{% for a in messages %}", 3)), ("{% for x in [1, 2] recursive %}{% if loop.depth < 30 %}{{ loop(@) }}{% endif %}{% endfor %}", "[1, 2]", "x.children"),
    # engines' functions by other names, callers and methods as values
    ("{% macro t() %}{{ caller(@) }}{% endmacro %}{% call(c) t() %}{{ c(c) if c is callable }}{% endcall %}", "caller", "1"), ("{% macro @(a) %}{{ @(a) }}{% endmacro %}{{ @(1) }}", "range", None),
    ("{% set l = [] %}{% set f = l.@ %}", "append", "copy"), ("{% set l = [1] %}{% for i in range(40) %}{% set x = @ %}{% endfor %}", "(l.extend)(l)", "l.copy()"),
    # containers with several names
    ("{% set a = [] %}{% set d = {'x': a} %}{% set _ = d.x.append(@) %}{{ a }}", "a", "1"), ("{% set a = [] %}{% set b, c = a, a %}{% set _ = b.append(@) %}{{ a }}", "c", "1"),
    ("{% set a = namespace() %}{% set b, c = a, a %}{% set b.x = @ %}{{ b|string|length }}", "c", "1"), ("{% set _ = messages.append(@) %}{{ messages|length }}", "messages", "{'role': 'user', 'content': 'x'}"),
    ("{% set m = messages %}{% set _ = m.append(@) %}{{ messages|length }}", "[messages]", "{'role': 'user', 'content': 'x'}"),
    ("{% set o = namespace(l=[]) %}{% set p = o %}{% set _ = o.l.append(@) %}{{ o.l|length }}", "p", "p.x"),
    # one name for a parameter and a variable, for rounds, for values that methods store
    ("{% macro f(a) %}{% set _ = messages.append(a) %}{% endmacro %}{% set l = [1] %}{{ f(@) }}{% for m in messages %}{% for x in m %}{% set _ = l.append(1) %}{% endfor %}{% endfor %}", "l", "[2]"),
    ("{% set l = [1] %}{% set d = {'k': @} %}{% for x in d.k %}{% set _ = l.append(x) %}{% endfor %}", "l", "[1]"),
    ("{% set l = [1] %}{% set j = [] %}{% set k = l %}{% for x in k %}{% set _ = @.append(x) %}{% endfor %}", "l", "j"),
    ("{% set a = namespace(v=[1]) %}{% set b = namespace(w=@) %}{% for x in b.w %}{% set _ = a.v.append(x) %}{% endfor %}", "a.v", "[1]"),
    ("{% set l = [[1]] %}{% set j = [1] %}{% for x in l[0] %}{% set _ = @.append(x) %}{% endfor %}", "l[0]", "j"),
    ("{% set l = [[1]] %}{% set j = [1] %}{% set k = l[0] %}{% for x in l|first %}{% set _ = @.append(x) %}{% endfor %}", "k", "j"),
    ("{% set ns = namespace(a='x') %}{% macro n() %}{{ @ }}{% endmacro %}{% macro m(a) %}{{ n() }}{% endmacro %}{% for i in range(40) %}{% set ns.a = m(ns.a) %}{% endfor %}", "a ~ a", "'x'"),
    ("{% set ns = namespace(a='x') %}{% macro m(a) %}{{ a ~ @ }}{% endmacro %}{% for i in range(40) %}{% set ns.a = m(ns.a) %}{% endfor %}", "a", "'x'"),
    ("{% macro m(n) %}{{ 'x' * n }}{% endmacro %}{% set n = 5 %}{{ m(@) }}", WIDE, "n"),
    ("{% set n = @ %}{% macro m(n) %}{{ 'x' * n }}{% endmacro %}{{ m(5) }}{{ 'x' * n }}", WIDE, "5"),
    ("{% set n = 5 %}{% macro m(n) %}{{ 'x' * n }}{% endmacro %}{{ m(n=@) }}", WIDE, "n"),
    ("{% for i in range(4) %}{% set s = 'ab' %}@{{ s }}{% endfor %}", 30 * "{% set s = s ~ s %}", 30 * "{% set s = s ~ 'a' %}"),
    ("{% for m in messages %}{% set s = 'ab' %}{% if m %}@{% endif %}{{ s }}{% endfor %}", 30 * "{% set s = s ~ s %}", 30 * "{% set s = s ~ 'a' %}"),
    ("{% set s = 'ab' %}{% for i in range(40) %}{% if i %}{% set t = s ~ s %}{% else %}{% set t = s %}{% endif %}{% set s = @ %}{% endfor %}", "t", "'ab'"),
    ("{% for i in range(9) %}{% set n = 10 %}{% set n = n * @ %}{% for j in range(n) %}x{% endfor %}{% endfor %}", "1000000", "3"),
    ("{% for i in range(2) %}{% set n = 1 %}{% for j in range(1) %}{% set n = @ %}{% endfor %}{{ 'x' * n }}{% endfor %}", WIDE, "5"),
    ("{% for i in range(2) %}{% set n = 1 %}{% if i %}{% set n = @ %}{% endif %}{{ 'x' * n }}{% endfor %}", WIDE, "5"),
    ("{% for i in range(2) %}{% set n = 1 %}{{ 'x' * n }}{% set n = @ %}{{ 'x' * n }}{% endfor %}", WIDE, "5"),
    ("{% for i in range(3) %}{% if i %}{{ 'x' * n }}{% endif %}{% set n = @ %}{% endfor %}", WIDE, "5"),
    ("{% for i in range(3) %}{% set l = [1] %}{% for j in range(2) %}{% set _ = l.append(@) %}{% endfor %}{{ 'x' * l[-1] }}{% endfor %}", WIDE, "5"),
    ("{% set d = {} %}{% set x = d.update({'n': @}) %}{{ 'x' * d.n }}", WIDE, "5"),
    ("{% set x = messages[0].update({'n': @}) %}{{ 'x' * messages[0].n }}", WIDE, "5"),
    ("{% set x = messages.append({'n': @}) %}{% for m in messages %}{{ 'x' * (m.n or 1) }}{% endfor %}", WIDE, "5"),
    ("{% set m = messages[0] %}{% set x = m.setdefault('n', @) %}{{ 'x' * messages[0].n }}", WIDE, "5"),
    ("{% set l = messages|list %}{% set x = l.append(@) %}{{ 'x' * l[-1] }}", WIDE, "5"),
    ("{% set l = [messages[0]] %}{% set x = l[0].update({'n': @}) %}{{ 'x' * messages[0].n }}", WIDE, "5"),
    ("{% set ns = namespace(m=messages[0]) %}{% set x = ns.m.update({'n': @}) %}{{ 'x' * messages[0].n }}", WIDE, "5"),
    ("{% macro p(d) %}{% set x = d.update({'n': @}) %}{% endmacro %}{{ p(messages[0]) }}{{ 'x' * messages[0].n }}", WIDE, "5"),
    ("{% for m in messages %}{% set x = m.update({'n': @}) %}{% endfor %}{{ 'x' * messages[0].n }}", WIDE, "5"),
    ("{% set m = messages[0] if messages else {} %}{% set x = m.update({'n': @}) %}{{ 'x' * messages[0].n }}", WIDE, "5"),
    ("{% set m = [messages[0], {}]|first %}{% set x = m.update({'n': @}) %}{{ 'x' * messages[0].n }}", WIDE, "5"),
    ("{% set x = (messages|first).update({'n': @}) %}{{ 'x' * messages[0].n }}", WIDE, "5"),
    ("{% set x = {'a': messages}.a.append({'n': @}) %}{{ 'x' * messages[-1].n }}", WIDE, "5"),
    ("{% set x = dict(a=messages).a.append({'n': @}) %}{{ 'x' * messages[-1].n }}", WIDE, "5"),
    ("{% macro m(k) %}{{ ''[k] }}{% endmacro %}{% set k = 'a' %}{{ m(@) }}", "'__cl' ~ 'ass__'", "k"),
    # arguments without a parameter, stored numbers, fields of dictionaries and messages
    ("{% set n = @ %}{% macro m(n=n) %}{% for i in range(n) %}{% endfor %}{% endmacro %}{{ m() }}", HUGE, "9"),
    ("{% set ns = namespace(t='x') %}{% macro m(a=n,n=1) %}{% set ns.t = a %}{% endmacro %}{% for i in range(40) %}{% set n = ns.t ~ @ %}{{ m() }}{% endfor %}", "ns.t", "'x'"),
    ("{% set l = [] %}{% set k = [@] %}{% macro m(a=k,k=1) %}{% if l.append(a) %}{% endif %}{% endmacro %}{{ m() }}{{ l }}", "l", "1"),
    ("{% macro m() %}{% for i in range(varargs[0]) %}{% endfor %}{% endmacro %}{{ m(@) }}", HUGE, "9"),
    ("{% macro m() %}{{ (varargs[0] * @)|length }}{% endmacro %}{{ m('x'*9000) }}", "90000", "9"),
    ("{% macro m() %}{{ (kwargs.a * @)|length }}{% endmacro %}{{ m(a='x'*9000) }}", "90000", "9"),
    ("{% set ns = namespace(t='x') %}{% macro m() %}{% set ns.t = varargs[0] %}{% endmacro %}{% for i in range(40) %}{{ m(ns.t ~ @) }}{% endfor %}", "ns.t", None),
    ("{% set ns = namespace(t='x') %}{% macro m(x) %}{% set ns.t = x %}{% endmacro %}{% set d = {'f': m} %}{% for i in range(40) %}{{ d.f(ns.t ~ @) }}{% endfor %}", "ns.t", "'x'"),
    ("{% set ns = namespace(t='x') %}{% macro m(x) %}{% set ns.t = x %}{% endmacro %}{% for i in range(40) %}{{ m(*[ns.t ~ @]) }}{% endfor %}", "ns.t", "'x'"),
    ("{% set l = [] %}{% macro m(x) %}{% if x.append(@) %}{% endif %}{% endmacro %}{% set d = {'f': m} %}{{ d.f(l) }}{{ l }}", "l", "1"),
    ("{% macro m(x) %}{% if x.append(@) %}{% endif %}{% endmacro %}{% set d = [] %}{{ m(d) }}{{ range(d[0])|length }}", HUGE, "9"),
    ("{% set l = [1] %}{% macro m(x) %}{% for i in x %}{% if l.append(1) %}{% endif %}{% endfor %}{% endmacro %}{% set d = {'f': m} %}{{ d.f(@) }}", "l", "[1]"),
    ("{% set ns = namespace(s='') %}{% set s = 'x' * 4000 %}{% for i in [1, 2] %}{% set ns.s %}{% endset %}{{ (s * @)|length }}{% endfor %}", "9000", "9"),
    ("{% set ns = namespace(s='') %}{% set s = 'x' %}{% for i in range(40) %}{% set ns.s %}{% endset %}{% set s = s ~ @ %}{% endfor %}", "s", "'x'"),
    ("{% for i in range(50) %}{% for j in range(@) %}{% if loop.last %}{{ range(loop.index * loop.index)|list|length }}{% endif %}{% endfor %}{% endfor %}", "190", "9"),
    ("{% set ns = namespace(p='y' * @) %}{% set z %}{% filter replace('x', ns.p) %}{{ 'x' * 9000 }}{% endfilter %}{% endset %}{{ z|length }}", "9000", "9"),
    ("{{ ((((messages|length) ** @) ** @) ** @) > 1 }}", "9000", "2"),
    ("{% set j = joiner('x' * 9000) %}{% if j() %}{% endif %}{{ (j() * @)|length }}", "90000", "9"),
    ("{% set j = joiner(@) %}{% if j() %}{% endif %}{{ range(j())|length if j() is number }}", HUGE, "9"),
    ("{% for i in [1] %}{{ range(loop.cycle(@))|length }}{% endfor %}", HUGE, "9"),
    ("{% set l = [1] %}{% if l.append(@) %}{% endif %}{{ range(l[1])|list|length }}", HUGE, "9"),
    ("{% set l = [1] %}{% if l.append(@) %}{% endif %}{{ 5 is divisibleby(l[1]) }}", "0", "2"),
    ("{% set l = [] %}{% set k = l %}{% if k.append(@) %}{% endif %}{{ range(l[0])|length }}", HUGE, "9"),
    ("{% set l = [@] %}{{ range({}.setdefault('a', l)[0])|list|length }}", HUGE, "9"),
    ("{% set d = {'a': 0} %}{% set e = d %}{% set e.a = @ %}{{ range(d.a)|length }}", HUGE, "9"),
    ("{% set m = messages[0] %}{% set m.n = @ %}{{ range(messages[0].n)|length }}", HUGE, "9"),
    ("{% set d = {'a': 1} %}{% set e = d %}{% set e.a = @ %}{{ 5 is divisibleby(d.a) }}", "0", "2"),
    ("{% set d = {'a': 'x'} %}{% set e = d %}{% for i in range(40) %}{% set e.a = d.a ~ @ %}{% endfor %}", "d.a", "'x'"),
    ("{% set m = messages[0] %}{% for i in range(40) %}{% set m.content = messages[0].content ~ @ %}{% endfor %}", "messages[0].content", "'x'"),
    ("{% set m = messages[0] %}{% set m.x = @ %}{{ messages|tojson }}", "messages", "1"),
    ("{% set d = {'f': 0} %}{% set e = d %}{% macro m() %}{{ d.f() }}{% endmacro %}{% set e.f = @ %}{{ m() }}", "m", "1"),
    # loops around calls of code that adds to their list
    ("{% set l = [1] %}{% macro m(x) %}{% if x.append(1) %}{% endif %}{% endmacro %}{% for i in @ %}{{ m(l) }}{% endfor %}", "l", "range(messages|length)"),
    ("{% set l = [1] %}{% macro m() %}{% if l.append(1) %}{% endif %}{% endmacro %}{% macro n() %}{{ m() }}{% endmacro %}{% for i in @ %}{{ n() }}{% endfor %}", "l", "[1]"),
    ("{% macro m(x) %}{% if x.append({'role': 'user', 'content': 'x'}) %}{% endif %}{% endmacro %}{% set l = [1] %}{% for i in messages %}{{ m(@) }}{% endfor %}", "messages", "l"),
    ("{% set l = [1] %}{% set k = [2] %}{% macro w() %}{% for i in l %}{{ caller() }}{% endfor %}{% endmacro %}{% call w() %}{% if @.append(1) %}{% endif %}{% endcall %}", "l", "k"),
    ("{% set l = [1] %}{% set k = [2] %}{% macro w(q) %}{% for i in q %}{{ caller() }}{% endfor %}{% endmacro %}{% call w(@) %}{% if l.append(1) %}{% endif %}{% endcall %}", "l", "k"),
    ("{% set l = [1] %}{% macro m(x) %}{% if x.append(1) %}{% endif %}{% endmacro %}{% set d = {'f': m} %}{% for i in @ %}{{ d.f(l) }}{% endfor %}", "l", "[1]"),
    ("{% set l = [1] %}{% macro m(x) %}{% set n = namespace(a=@) %}{% if n.a.append(1) %}{% endif %}{% endmacro %}{% for i in l %}{{ m(l) }}{% endfor %}", "x", "[]"),
    ("{% set l = [1] %}{% for i in @ %}{% if l.append(1) %}{% endif %}{% endfor %}", "l", "range(messages|length)"),
    # objects that grow under other names
    ("{% set l = ['x'] %}{% macro m(x) %}{% if x.append(l[-1] ~ @) %}{% endif %}{% endmacro %}{% for i in range(40) %}{{ m(l) }}{% endfor %}", "l[-1]", "'x'"),
    ("{% set l = ['x'] %}{% macro n(y) %}{% if y.append(l[-1] ~ @) %}{% endif %}{% endmacro %}{% macro m(x) %}{{ n(x) }}{% endmacro %}{% for i in range(40) %}{{ m(l) }}{% endfor %}", "l[-1]", "'x'"),
    ("{% set l = ['x'] %}{% set k = l %}{% for i in range(40) %}{% if k.append(l[-1] ~ @) %}{% endif %}{% endfor %}", "l[-1]", "'x'"),
    ("{% set ns = namespace(t='x') %}{% for i in range(40) %}{% set j = joiner(ns.t ~ @) %}{% set k = j() %}{% set ns.t = j() %}{% endfor %}", "ns.t", "'x'"),
    # the container that append() returns in llama.cpp
    ("{% set l = [] %}{% set q = l.append(1) %}{% if q is not none and q.append(@) %}{% endif %}{{ l }}", "l", "1"),
    ("{% set l = [] %}{% set q = l.append(1) %}{% set ns = namespace(a=q) %}{% if ns.a is not none and ns.a.append(@) %}{% endif %}{{ l }}", "l", "1"),
    # sizes through several names
    ("{% set ns = namespace(a='', b='', c='', d='') %}{% set p = 'x' * 9000 %}{% for i in range(9) %}{% set ns.a = ns.b %}{% set ns.b = ns.c %}{% set ns.c = ns.d %}{% set ns.d = p %}{% endfor %}{{ (ns.a * @)|length }}", "90000", "9"),
    ("{% set ns = namespace(a='', b='', c='', d='', e='') %}{% for i in range(9) %}{% set ns.a = ns.b ~ ns.b %}{% set ns.b = ns.c %}{% set ns.c = ns.d ~ ns.d %}{% set ns.d = ns.e %}{% set ns.e = 'x' * 4000 %}{% endfor %}{{ (ns.a * @)|length }}", "90000", "9"),
    ("{% set ns = namespace(a=0, b=0, c=0, d=0) %}{% for i in range(9) %}{% set ns.a = ns.b %}{% set ns.b = ns.c %}{% set ns.c = ns.d %}{% set ns.d = @ %}{% endfor %}{{ range(ns.a)|length }}", HUGE, "9"),
    ("{% set p = 'x' * 6000 %}{% set ns = namespace(t='') %}{% for i in range(300) %}{% if i %}{% set s = ns.t %}{% else %}{% set s = ns.t %}{% endif %}{% set ns.t = s ~ @ %}{% endfor %}{{ (ns.t * 400)|length }}", "p", "''"),
    ("{% set ns = namespace(n=0) %}{% for i in range(1400) %}{% if i %}{% set s = ns.n %}{% else %}{% set s = ns.n %}{% endif %}{% set ns.n = s + @ %}{% endfor %}{{ range(ns.n)|length }}", "3000", "1"),
    ("{% set ns = namespace(t='', u='') %}{% for i in range(300) %}{% set ns.u = ns.t ~ @ %}{% set ns.t = ns.u %}{% endfor %}{{ (ns.t * 200)|length }}", "'x' * 6000", "'x'"),
    # fields of dictionaries that macros receive
    ("{% set d = {} %}{% macro m(x) %}{% set x.f = @ %}{% endmacro %}{{ m(d) }}{{ d|tojson }}", "d", "1"),
    ("{% macro m(x) %}{% set x.f = @ %}{% endmacro %}{{ m(messages[0]) }}{{ messages|tojson }}", "x", "1"),
    ("{% set d = {'f': 'x'} %}{% macro m(x) %}{% set x.f = x.f ~ @ %}{% endmacro %}{% for i in range(40) %}{{ m(d) }}{% endfor %}", "x.f", "'x'"),
    ("{% set d = {'f': 1} %}{% macro m(x) %}{% set x.f = @ %}{% endmacro %}{{ m(d) }}{{ range(d.f)|length }}", HUGE, "9"),
    # texts and lists that double because one round uses a name twice
    ("{% set t = 'x' %}{% for i in range(40) %}{% set t = t ~ 'x' %}{% set t = t ~ @ %}{% endfor %}{{ t|length }}", "t", "'x'"),
    ("{% set ns = namespace(a='x') %}{% set t = 'x' %}{% for i in range(40) %}{% set t = t ~ @ %}{% set ns.a = t %}{% endfor %}", "ns.a", "'x'"),
    ("{% set l = ['x'] %}{% for i in range(40) %}{% if l.append(@) %}{% endif %}{% endfor %}", "l|join", "l[-1]"),
    ("{% set ns = namespace(s=[1]) %}{% for i in range(40) %}{% set ns.s = [@].append(1) %}{% endfor %}{{ ns.s|tojson }}", "ns.s, ns.s", "1"),
    # sizes at keys that are not the key of a literal
    ("{% set l = ['x' * 9000] %}{% set k = 'a' %}{% set k = 0 %}{{ (l[k] * @)|length }}", "90000", "9"),
    ("{{ (dict.fromkeys(['a'], 'x' * 90000).a * @)|length }}", "90000", None),
    ("{% set d = {'a': 'x' * 90000} %}{{ (d.keys().mapping.a * @)|length }}", "90000", None),
    # namespaces are dictionaries in llama.cpp
    ("{% set ns = namespace(a='x' * 90000) %}{{ (ns.get('a') * @)|length }}", "90000", None),
    ("{% set ns = namespace(f=1) %}{% macro m() %}{{ ns.get('f')() }}{% endmacro %}{% set ns.f = m %}{{ @ }}", "m()", None),
    # targets that only llama.cpp accepts
    ("{% set d = {'x': {}} %}{% set @ = d %}{{ d|tojson }}", "d['x'].a", "e"),
    ("{% set @ = 9999*9999*9999 %}{{ range(messages[0].n or 1)|length }}", "messages[0].n", "n"),
    ("{% set d = {} %}{% set k = [d] %}{% set @ = k %}{{ k|tojson }}", "(k|first).a", "(a, b)"),
    ("{% macro m(x) %}{% set x.f = @ %}{% endmacro %}{{ m(namespace()) }}{% set d = {'f': 1} %}{{ m(d) if messages|length > 999 }}{{ range(d.f)|length }}", HUGE, "9"),
    # methods as values
    ("{% set f = @ %}{{ f(9999*9999*99)|length }}", "'x'.center", None),
    ("{% set ns = namespace(t='x') %}{% for i in range(40) %}{% set f = [ns.t ~ ns.t].copy %}{% set ns.t = @ %}{% endfor %}", "f()", "'x'"),
    # numbers
    ("{% set n = 5 %}{% set n = 0 - @ %}{{ range(-n)|length }}", HUGE, "9"),
    ("{% set n = 0 - @ %}{{ 'x' * (n|int|abs) }}", "9999*9999*99", "9"),
    ("{{ 'x' * ((@)|safe|int) }}", "9999*9999*99", "9"),
    ("{{ 'x' * (@).real }}", "9999*9999*99", "9"),
    ("{% set ns = namespace(a=0, b=0, c=0, d=0) %}{% for i in range(9) %}{% set ns.a = ns.b + 1 %}{% set ns.b = ns.c + 1 %}{% set ns.c = ns.d + 1 %}{% set ns.d = @ %}{% endfor %}{{ ('x' * ns.a)|length }}", "99*99*99*99*99", "9"),
    # elements under another name
    ("{% set l = [] %}{% set k = l %}{% for i in range(@) %}{% set _ = k.append(1) %}{% endfor %}{% for a in l %}{% for b in l %}{% for c in l %}xxxxxxxxxx{% endfor %}{% endfor %}{% endfor %}", "150", "5"),
    # containers that a call or an attribute reads from others, from an unknown depth; blocks
    ("{% set l = [1] %}{% set k = [[@]]|sum(start=[])|first %}{% if k.append(l) %}{% endif %}{{ l|tojson }}", "l", "[2]"),
    ("{% set l = [1] %}{% set k = [[@]]|sum(start=[])|first %}{% for x in l %}{% if k.append(x) %}{% endif %}{% endfor %}", "l", "[2]"),
    ("{% set l = [1] %}{% set k = [{'a': {'b': @}}]|map(attribute='a.b')|first %}{% if k.append(l) %}{% endif %}{{ l|tojson }}", "l", "[2]"),
    ("{% set l = [1] %}{% set k = ([{'a': {'b': @}}]|groupby('a.b'))[0][0] %}{% for x in l %}{% if k.append(x) %}{% endif %}{% endfor %}", "l", "[2]"),
    ("{% set l = [1] %}{% set c = cycler(@) %}{% if c.next().append(l) %}{% endif %}{{ l|tojson }}", "l, l", "[2], [3]"),
    ("{% set l = [1] %}{% block b %}{% if l.append(1) %}{% endif %}{% endblock %}{% for x in @ %}{{ self.b() }}{% endfor %}", "l", "range(messages|length)"),
    ("{% set l = [1] %}{% macro m() %}{% if l.append(1) %}{% endif %}{% endmacro %}{% block b %}{{ m() }}{% endblock %}{% for x in @ %}{{ self.b() }}{% endfor %}", "l", "[1]"),
    # values that macros, blocks and call blocks add, called in any way
    (COUNTER + "{% macro m() %}{% set ns.n = ns.n + 2 %}{% endmacro %}{% set d = {'f': m} %}{% for i in range(@) %}{{ d.f() }}{% endfor %}" + USES, "300", "3"),
    (COUNTER + "{% macro n() %}{% if l.append(1) %}{% endif %}{% endmacro %}{% macro m() %}{% for i in range(@) %}{{ n() }}{% endfor %}{% endmacro %}{{ m() }}" + USES, "300", "3"),
    (COUNTER + "{% macro m() %}{{ n() }}{% endmacro %}{% macro n() %}{% set ns.n = ns.n + 2 %}{% endmacro %}{% for i in range(@) %}{{ m() }}{% endfor %}" + USES, "300", "3"),
    (COUNTER + "{% block b %}{% if l.append(1) %}{% endif %}{% endblock %}{% for i in range(@) %}{{ self.b() }}{% endfor %}" + USES, "300", "3"),
    (COUNTER + "{% block b %}{% set ns.n = ns.n + 2 %}{% endblock %}{% block c %}{{ self.b() }}{% endblock %}{% for i in range(@) %}{{ self.c() }}{% endfor %}" + USES, "300", "1"),
    (COUNTER + "{% macro m() %}{% for i in range(@) %}{{ caller() }}{% endfor %}{% endmacro %}{% call m() %}{% set ns.n = ns.n + 2 %}{% endcall %}" + USES, "300", "3"),
    # copies of all variables, and fields that are examined one by one
    (VARIABLES + "{% macro m() %}{% endmacro %}{% for i in range(@) %}{% call m() %}{% endcall %}{% endfor %}", "400", "4"),
    (VARIABLES + "{% for i in range(@) %}{% for j in u %}{% endfor %}{% if i %}{% endif %}{% endfor %}", "900", "9"),
    (VARIABLES + "{% for i in messages %}@{% endfor %}", "{% for j in messages %}{% endfor %}" * 200, "{% for j in messages %}{% endfor %}"),
    ("{% set n = namespace(" + FIELDS + ") %}{% for i in range(@) %}{% set n.a0 = i %}{% endfor %}", "5300", "53"),
    ("{% if 0 %}{% set " + ", ".join("w%d" % i for i in range(1900)) + " = 1 %}@{% endif %}", "".join("{%% block b%d scoped %%}{%% endblock %%}" % i for i in range(400)), "{% block b scoped %}{% endblock %}"),
    # keys, sorting and codecs
    ("{% set r = range(@) %}{% for i in range(2500) %}{% set y = u[r] %}{% endfor %}", "9999", "9"),
    ("{% set r = range(9999) %}{% for i in range(@) %}{% set y = r|sort %}{% endfor %}", "41", "4"),
    ("{{ ('" + IDEOGRAPHS + "' * 3).encode(@)|length }}", "'punycode'", None),
    # syntax that only llama.cpp accepts: methods as filters, arguments without commas, fields of loops
    ("{% set l = [1] %}{% set _ = l|@(l) %}{{ l|string }}", "append", "default"), ("{% set _ = messages|@(1) %}{{ messages|string }}", "append", "default"),
    ("{{ [4]|@|list }}", "reject('divisibleby' 0)", "reject('divisibleby', 2)"),
    ("{% for i in [1] %}{% set @ = 9999*9999 %}{{ range(loop.index)|length }}{% endfor %}", "loop.index", "x"),
    ("{% macro a() %}{{ loop.f() }}{% endmacro %}{% for x in [1] %}{% set @ = a %}{{ a() }}{% endfor %}", "loop.f", None),
    ("{{ (joiner() if 0 else [1].@)('divisibleby', 0) }}", "select", None), ("{% set r = joiner() if 0 else range %}{% for i in r(@) %}{% endfor %}", "99999999", None),
    ("{% set t = messages[0].zz ~ @ %}{{ [1]|select(t, messages[0].zz or 0)|list }}", "'divisibleby'", None),
    ("{% set m = [1, 2] %}{% for @ in [[1, 2], m] %}{% if loop.first %}{% set _ = m.pop() %}{% set _ = m.pop() %}{% endif %}{{ b }}{% endfor %}", "a, b", "b"),
    # texts that blocks copy, that are used as keys, or that are tested for being empty
    ("{% for i in range(@) %}" + "{% if 1 %}" * 20 + "{{ 'x' * 4000 }}" + "{% endif %}" * 20 + "{% endfor %}", "200", "2"),
    ("{% set t = 'x' * 40000 %}{% for i in range(@) %}{% set y = t['a'] %}{% endfor %}", "900", "2"), ("{% set t = 'x' * 40000 %}{% for i in range(@) %}{% set y = not t %}{% if t %}{% endif %}{% endfor %}", "900", "1"),
    # methods that are not called hold their objects
    ("{% set d = namespace() %}{% set d.a = d.@ %}{{ d|string }}", "keys", "b"), ("{% set d = messages[0] %}{% set d.x = d['@'] %}{{ d|string }}", "keys", "role"),
    ("{% set d = namespace() %}{% if 0 %}{% set d.keys = 1 %}{% endif %}{% set d.a = [@] %}{{ d|string }}", "d.keys", "1"),
    ("{% set l = [1] %}{% for f in [@] %}{% if l.append(f) %}{% endif %}{% endfor %}{{ l|string }}", "l.first", "l[0]"),
    ("{% set l = [1] %}{% for x in [l, 1] %}{% if loop.index == 2 and loop.previtem.append(@) %}{% endif %}{% endfor %}{{ l|string }}", "l", None),
    # texts of the conversation that are put into themselves, and their lengths
    (TOLD + "{% set t = s.replace('e', s) %}{% set u = t.replace('e', @) %}{{ u.replace('e', @)|length }}", "t", "'x'"),
    (TOLD + "{{ s.replace('e', s).replace('e', s)@|length }}", ".replace('e', s).replace('e', s)", ""),
    (TOLD + "{% set t = s.split('e')|join(@) %}{% set u = t.split('e')|join(t) %}{% set v = u.split('e')|join(u) %}{{ v|length }}", "s", None),
    (TOLD + "{% set ns = namespace(s=s) %}{% for m in messages %}{% set ns.s = ns.s.split('e')|join(@) %}{% endfor %}{{ ns.s|length }}", "s", "'x'"),
    (TOLD + "{% set n = s|length %}{{ 'x' * @ }}", "(n * n * n)", "n"), (TOLD + "{% for a in range(@) %}{% endfor %}", "s|length * s|length", "s|length"),
    ("{% set r = range(messages[0].content|length) %}{% for a in r %}{% for b in r %}@{% endfor %}{% endfor %}", "{% for c in r %}{% endfor %}", ""),
    (TOLD + "{% set p = s.split('e') %}{% for a in p %}@{% endfor %}", "{% for b in p %}{% endfor %}", "x"),
    (TOLD + "{% set p = s.split('e') %}{% set t = p + p + p %}{% for a in t %}@{% endfor %}", "{% for b in t %}{% endfor %}", "x"),
    ("{% set a = [messages] * 8 %}{% set b = [a, a, a, a, a, a, a, a] %}{% set c = [b, b, b, b, b, b, b, b] %}{% set d = [c, c, c, c, c, c, c, c] %}{% set e = [d, d, d, d, d, d, d, d] %}{{ @|tojson|length }}", "e", None),
    # loops over data in macros, call blocks and blocks
    ("{% macro a() %}" + nested("{% for m in messages %}", 4) + "{% endmacro %}" + "{% for m in messages %}" * 4 + "@" + "{% endfor %}" * 4, "{{ a() }}", "x"),
    ("{% macro a() %}{% for m in messages %}{{ caller() }}{% endfor %}{% endmacro %}" + "{% call a() %}" * 9 + "@" + "{% endcall %}" * 9, "x", None),
    (COUNTER + "{% for a in messages %}{% for b in messages %}{% for c in messages %}{% for d in messages %}{% set @ = ns.n + 1 %}{% endfor %}{% endfor %}{% endfor %}{% endfor %}" + USES, "ns.n", "y"),
    (COUNTER + "{% for a in messages %}{% for b in messages %}{% for c in messages %}{% for d in messages %}{% if l.@(1) %}{% endif %}{% endfor %}{% endfor %}{% endfor %}{% endfor %}" + USES, "append", "count"),
    # names that engines copy: of macros, of parameters, of variables that are only read
    ("".join("{%% macro m%d() %%}{%% endmacro %%}" % i for i in range(300)) + "{% for i in range(@) %}{% endfor %}", "9000", "9"),
    ("{% macro m(" + ", ".join("p%d" % i for i in range(1500)) + ") %}{% for i in range(@) %}{% endfor %}{% endmacro %}{{ m() }}", "1500", "3"),
    ("{% macro m() %}{{ caller(1) }}{% endmacro %}{% call(" + ", ".join("p%d" % i for i in range(1500)) + ") m() %}{% for i in range(@) %}{% endfor %}{% endcall %}", "1500", "3"),
    ("".join("{{a%d}}" % i for i in range(4000)) + "@", "{% if x %}{% endif %}" * 6000, "{% if x %}{% endif %}"),
    # brackets, which llama.cpp treats as tags
    ("{% for m in messages %}{% if m.reasoning_content %}@{{ m.reasoning_content }}{% endif %}{{ m.content }}{% endfor %}", "<" * 60000, "<think>"),
    ("{% for m in messages %}{% if m.reasoning_content %}{{ '@' * 20000 }}{{ m.reasoning_content }}{% endif %}{{ m.content }}{% endfor %}", "[", "-"),
    ("{% for m in messages %}{{ m.role }}{% for t in m.tool_calls %}@{{ t.function.name }}@{{ t.function.arguments|tojson }}@{% endfor %}{% endfor %}", "<a></a>" * 2500, "<a></a>"),
    # arguments without a parameter
    ("{% macro m() %}{{ (kwargs.a * @)|length }}{% endmacro %}{% set d = {'f': m} %}{{ d.f(a='x' * 90000) }}", "90000", None),
)

PROGRAMS = [(form.replace("@", costly), "{{ 1 }}" if cheap is None else form.replace("@", cheap))
            for form, costly, cheap in FORMS]
