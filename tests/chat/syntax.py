"""Every construct of the template language that templates use, each as a template of its own. Rendered with VARIABLES.
EXPRESSIONS holds many in a line, with | between them."""

import re

VARIABLES = {
    "s": "Hello, Wörld! ", "t": "a,b,,c", "n": 7, "neg": -3, "f": 2.5, "big": 1e16, "small": 0.00001, "tiny": 1.5e-7, "yes": True, "no": False, "nil": None,
    "l": [3, 1, 2], "words": ["pear", "Apple", "fig", "apple"], "empty": [], "d": {"b": 2, "a": 1, "C": 3, "items": "shadow"},
    "people": [{"name": "Ann", "age": 30, "job": {"title": "x"}}, {"name": "bob", "age": 25}, {"name": "Cy", "age": 30, "job": {"title": "y"}}],
    "nested": [[1, [2, 3]], [4, []]], "uni": "Straße ǆ ΣΑΣ İ ﬁn ŉ 你好 e\u0301", "quote": "it's \"q\"", "ws": " \t\n\u00a0x\u2003\u200b ", "html": "<a href='x'>&</a>",
    "mixed": [1, 1.0, True, "1", None, [1], {"k": "v"}], "tree": [{"v": 1, "kids": [{"v": 2, "kids": []}, {"v": 3, "kids": [{"v": 4, "kids": []}]}]}],
    "lines": "one\ntwo\r\nthree\n\nfive\u2028six", "ctl": "\x00\x1f\x7f\u00ad\u2028\U0001F600\ufffe",
}

EXPRESSIONS = r"""
s|s.strip()|s.upper() ~ s.lower()|s.split()|s.split(',')|s.split(', ', 1)|t.split(',', 2)|t.rsplit(',', 1)|t.split(',')[-1]|' a  b '.split()|' a  b c '.split(None, 1)|' a  b c '.rsplit(None, 1)
s.replace('l', 'L')|s.replace('l', 'L', 1)|s.replace('', '-')|'aaa'.replace('a', 'b', 2)|''.replace('', 'x')|'abc'.replace('', '-', 2)
s.startswith('Hell')|s.startswith(('x', 'H'))|s.endswith('! ')|s.startswith('l', 2)|s.find('o')|s.find('ö')|s.rfind('l')|s.find('zz')|s.index('W')|s.index('zz')|s.count('l')|s.count('')
s.title()|s.capitalize()|s.swapcase()|uni.upper()|uni.lower()|uni.title()|uni.capitalize()|uni.swapcase()|uni.casefold()|'ΑΣ'.lower()|'ΑΣ Σ Σ. ΑΣ:'.lower()
s.center(20)|s.center(21, '*')|s.ljust(16, '.')|s.rjust(16)|'42'.zfill(5)|'-42'.zfill(5)|'ab'.center(5)|'abc'.center(6)
ws.strip()|ws.lstrip()|ws.rstrip()|'xxabcxx'.strip('x')|'xyabcyx'.lstrip('yx')|'äxä'.strip('ä')|''.strip()|'abc'.strip('')
t.partition(',')|t.rpartition(',')|t.partition('zz')|t.rpartition('zz')|lines.splitlines()|lines.splitlines(true)|'prefix-x'.removeprefix('prefix-')|'x.jinja'.removesuffix('.jinja')|'-'.join(['a', 'b'])|'-'.join('abc')|'-'.join([1])
'abc'.isalpha()|'ab1'.isalnum()|'12'.isdigit()|'²'.isdigit()|'½'.isnumeric()|'٣'.isdecimal()|' \t'.isspace()|'Abc Def'.istitle()|'abc'.islower()|'ABC1'.isupper()|''.isalpha()|'a_1'.isidentifier()|'é'.isascii()|'a\tb'.expandtabs(4)|'a b'.isprintable()
s[0]|s[-1]|s[1:4]|s[::-1]|s[::2]|s[-3:]|s[:-3]|s[10:2:-2]|uni[0:7]|uni[-3:]|s[100]|s[100:]|l[0]|l[-1]|l[1:]|l[::-1]|l[5]|l['x']|l[0:2]|words[:2]|nested[0][1][0]|s[1:][0]|s['x']|s.foo|l.foo
d.a|d['a']|d.missing|d['missing']|d.items()|d['items']|d.keys()|d.values()|d.get('a')|d.get('z')|d.get('z', 9)|d.keys()|list|d.a.b|d.get('z').x|'a' in d|'z' in d|2 in d.values()|d|length|d.items()|list|d.copy()
1 + 2|1 - 2|2 * 3|7 / 2|7 // 2|-7 // 2|7 % 3|-7 % 3|7 % -3|2 ** 10|2 ** -1|-2 ** 2|7.5 // 2|-7.5 % 2|1 / 0|1 // 0|1 % 0|1.0 / 3|0.1 + 0.2|1e3|1E-7|1_000|0x1F|0b101|0o17|1.5e300 * 1e10|true + 1|true and 5|1 or 2|0 or ''|not 0|not not 1|- 5|+5|-f|n * 'ab'|'ab' * 3|[1] * 3|[1] + [2]|(1,) + (2,)|'a' + 'b'|'a' + 1|1 + 'a'|nil + 1|'a' * -1
big|small|tiny|1e15|123456789012345.6|1e22|1.0|100.0|-0.0|f|12345678901234567890.0|0.1|1e-4|1e-5|1.7976931348623157e308|5e-324
'a' ~ 1 ~ none ~ true ~ 1.5 ~ [1, 'x']|n ~ ''|nil ~ nope|l ~ d
1 == 1.0|1 == true|'1' == 1|none == none|[1, 2] == [1, 2]|[1] == (1,)|{'a': 1} == {'a': 1.0}|1 != 2|1 < 2 < 3|1 < 3 < 2|'a' < 'b'|'Z' < 'a'|[1, 2] < [1, 3]|1 < 'a'|none < 1|1 in l|5 not in l|'ell' in s|'' in s|1 in s|none in l|nope in l|1 in none|true == 1 in [1]|nope == nope2|nope == none|(1, 2) < (1, 2, 3)
'yes' if yes else 'no'|'x' if no|('x' if no) is defined|1 if no else 2 if yes else 3|(1, 2)|(1,)|()|[]|{}|[1, 'a', none, true, 1.5, [], {}]|{'a': 1, 2: 'b', none: [1]}|{'a': 1, 'a': 2}|{1: 'a', true: 'b'}|[1, 2,]|{[1]: 2}
nope|nope.x|nope is defined|nope|default('d')|nope|d|nil|default('d')|''|default('d', true)|nope|length|nope|list|nope|upper|nope|join(',')|nope + 1|nope()|nope['x']|nope|first|nope|int|nope|tojson|nope|trim|nope|items|list|nope|sum|not nope|nope and 1|-nope|nope < 1|nope|map('upper')|list|nope|replace('a', 'b')|nope|string
s|trim|ws|trim|'xxaxx'|trim('x')|s|length|l|count|d|count|n|length|words|join|words|join(', ')|people|join(', ', attribute='name')|l|join('-')|mixed|join('|')|nil|join
s|upper|s|lower|s|title|'foo-bar (baz) [x] {y} <z> it\'s\tok'|title|s|capitalize|uni|upper|uni|title|n|upper|s|replace('l', 'L')|s|replace('l', 'L', 1)|s|replace(1, 2)|n|replace('7', '8')
l|first|l|last|s|first|s|last|d|first|d|last|empty|first|empty|last|l|list|s|list|d|list|d|items|list|n|items|l|first|first
l|sort|l|sort(reverse=true)|words|sort|words|sort(case_sensitive=true)|people|sort(attribute='age')|map(attribute='name')|list|people|sort(attribute='age,name')|map(attribute='name')|list|people|sort(reverse=true, attribute='age')|map(attribute='name')|list|mixed|sort|d|dictsort|d|dictsort(true)|d|dictsort(by='value')|d|dictsort(reverse=true)|d|dictsort(false, 'value', true)|n|dictsort
words|unique|list|words|unique(true)|list|people|unique(attribute='age')|map(attribute='name')|list|l|sum|people|sum(attribute='age')|l|sum(start=10)|l|max|l|min|words|max|words|min|people|max(attribute='age')|empty|max|mixed|sum|words|sum|[]|sum(start=1.5)
l|reverse|list|s|reverse|d|reverse|list|l|reverse|first|l|reverse|length|range(5)|list|range(1, 8, 3)|list|range(5, 0, -2)|list|range(3)|range(0)|list|range(2)[1]|range(10)[2:8:3]|list|range(10)[2:4]|range(200000)|range(1, 2, 0)|range('a')|range(5)|length|3 in range(5)|range(4)|sum
words|map('upper')|list|words|map('length')|list|people|map(attribute='name')|join(',')|people|map(attribute='job.title')|list|people|map(attribute='job.title', default='none')|list|words|map('replace', 'p', 'P')|list|words|map('nofilter')|list|l|map('string')|join|nested|map('first')|list|words|map|list|nested|map(attribute=0)|list
l|select|list|l|select('odd')|list|l|reject('odd')|list|l|select('gt', 1)|list|mixed|select('string')|list|people|selectattr('age', 'equalto', 30)|map(attribute='name')|list|people|rejectattr('age', 'eq', 30)|list|length|people|selectattr('job')|list|length|people|selectattr('job', 'defined')|list|length|people|rejectattr('job', 'undefined')|list|length|people|selectattr('name', 'in', ['Ann', 'Cy'])|list|length|l|select('divisibleby', 2)|list|l|select('notest')|list|words|select('==', 'fig')|first
l|batch(2)|list|l|batch(2, 'x')|list|l|slice(2)|list|l|slice(2, 'x')|list|people|groupby('age')|list|length|people|groupby('age')|map('first')|list|people|groupby('job.title', default='-')|map(attribute='grouper')|list
'3'|int|'x'|int|'x'|int(5)|'3.9'|int|3.9|int|-3.9|int|' 42 '|int|'0x1f'|int(0, 16)|'1f'|int(base=16)|'1_000'|int|true|int|nil|int|''|int|'1e3'|int|l|int|'3.5'|float|'x'|float|'x'|float(1.5)|'inf'|float|'nan'|float|5|float|'1e5'|float|'.5'|float|'5.'|float|'+5'|float|'- 5'|float
neg|abs|f|abs|'x'|abs|2.5|round|3.5|round|2.345|round(2)|2.5|round(method='ceil')|2.1|round(0, 'floor')|1234|round(-2)|7|round|1.005|round(2)|2.675|round(2)|'x'|round|n|round(1)
'ab\ncd\n\nef'|indent|'ab\ncd\n\nef'|indent(2, true)|'ab\ncd\n\nef'|indent(2, blank=true)|'ab\ncd'|indent('> ')|'ab\ncd'|indent(first=true)|''|indent|'x\n'|indent(2)|n|indent|lines|indent(1)|'a\r\nb'|indent(2)
d|tojson|l|tojson|s|tojson|uni|tojson|uni|tojson(ensure_ascii=true)|mixed|tojson|nested|tojson(indent=2)|d|tojson(indent=4)|d|tojson(sort_keys=true)|d|tojson(separators=(',', ':'))|nil|tojson|yes|tojson|f|tojson|big|tojson|ctl|tojson|quote|tojson|html|tojson|empty|tojson(indent=2)|{}|tojson|{1: 2, none: 3, true: 4, 1.5: 5}|tojson|(1, 2)|tojson|range(2)|tojson|namespace(a=1)|tojson|people|tojson(indent=2)|d.items()|tojson|l|tojson(indent='  ')|[[]]|tojson(indent=1)|'nan'|float|tojson|s|tojson|safe|nested|tojson(indent=0)
n|string|nil|string|l|string|s|safe|html|escape|html|e|html|forceescape|(html|safe)|escape|(html|safe) + '<'|'<' + (html|safe)|(html|safe) ~ '<'|html|striptags|n|e|'%s-%s'|format('a', 1)|'%(x)s'|format(x=1)|s|wordcount|'abc def ghi jkl'|truncate(7)|'abc def ghi jkl'|truncate(7, true)|'abc def ghi jkl'|truncate(9, false, '..', 0)|s|center(30)|'a b/c?&ü'|urlencode|d|urlencode|1500|filesizeformat|1048576|filesizeformat(true)|1|filesizeformat|12|filesizeformat|people|map(attribute='job')|list|people[0]|attr('name')|s|attr('upper')|l|attr('x') is defined
'%s' % s|'%d' % 3.7|'%5d|' % 42|'%-5d|' % 42|'%05d' % 42|'%+d' % 42|'%x' % 255|'%X' % 255|'%o' % 8|'%#x' % 255|'%.2f' % 3.14159|'%e' % 12345.678|'%g' % 0.0001|'%g' % 1e10|'%s and %s' % ('a', 'b')|'%(a)s' % d|'%5.1f|' % 2.25|'%%' % ()|'%s' % (1, 2)|'%s %s' % 'a'|'%r' % s|'%c' % 'x'|'%10s|' % 'ab'|'%-10s|' % 'ab'|'%.2s' % 'abc'|'%*d' % (5, 42)|'%d' % 'x'|'%s' % l|'%i' % true|'% d' % 5|'%z' % 1|'abc' % ()|'abc' % 1|'%s' % nil|'%.0f' % 2.5|'%08.3f' % -3.14159
'{} {}'.format(1, 'a')|'{0}{1}{0}'.format('a', 'b')|'{x}'.format(x=1)|'{:>5}|'.format('ab')|'{:<5}|'.format('ab')|'{:^5}|'.format('ab')|'{:*^7}'.format('ab')|'{:05d}'.format(42)|'{:+}'.format(5)|'{:,}'.format(1234567)|'{:.2f}'.format(3.14159)|'{:x}'.format(255)|'{:#x}'.format(255)|'{:%}'.format(0.25)|'{:e}'.format(1234.5)|'{!r}'.format('a')|'{{}}'.format()|'{'.format()|'{} {}'.format(1)|'{a[x]}'.format(a={'x': 5})|'{:>{w}}'.format('a', w=4)|'{:.3}'.format('abcdef')|'{:b}'.format(5)|'{:d}'.format('x')|'{:_}'.format(1234567)|'{}'.format(1.0)|'{:g}'.format(1e10)|'{:.1%}'.format(0.255)
n is number|n is integer|f is float|f is integer|yes is boolean|yes is true|no is false|1 is true|s is string|n is string|d is mapping|l is sequence|s is sequence|d is sequence|l is iterable|n is iterable|nil is none|nope is undefined|n is odd|n is even|n is divisibleby 7|n is divisibleby(2)|n is eq 7|n is equalto 7|n is gt 3|n is lt 3|n is ge 7|n is le 6|n is ne 7|n is in [7]|'a' is in 'abc'|'abc' is lower|'ABC' is upper|''is lower|n is sameas 7|nil is sameas none|range is callable|n is callable|s is escaped|(s|safe) is escaped|'trim' is filter|'odd' is test|'zzz' is filter|n is not odd|not n is odd|n is greaterthan 5|n is lessthan 5|(l|map('string')) is sequence|(l|map('string')) is iterable|n is divisibleby 0|s is odd|d.items() is sequence|range(3) is sequence|yes is number|yes is integer
repr_me|[s, quote, ctl, uni, 'a\\b', "it's", '"', 'tab\t', '\x7f', '\u00a0']|['\'"']|(1.0, 1e100, none)|{'k': 'v\n'}|[true, [none]]|d.keys()|d.items()|d.values()|range(3)|range(0, 10, 2)|namespace(a=1, b='x')|[namespace(a=1)]|['\u200b', '\u0378', '\ue000', '\U0001F600']
dict(a=1, b=2)|dict({'x': 1}, y=2)|dict([('a', 1)])|dict(**d)|cycler('a', 'b').next()|joiner('|')()|joiner()()|raise_exception('stop')|strftime_now('%Y-%m-%d')|strftime_now('%d %b %Y %H:%M:%S %A %j')|strftime_now('')|lipsum is defined|l.append(1)|d.update({})|l.sort()|d.pop('a')|l.index(2)|l.index(9)|l.count(1)|(1, 2, 1).count(1)|s.__class__|'a'.nothing()|loop is defined|l.append is defined
"a\tb\nc\\d\'e\"f\x41\u00e9\U0001F600\101\z" | 'a' 'b' "c"|'é' "\é"|'multi
line'|'\
x'
(s)|((1))|l | length > 2|l|length + 1|-l|first|s.strip().upper()|(l|sort)[0]|[1, 2][0]|{'a': 1}.a|'abc'[1]|'a-b'.split('-')|last|(1 if yes else 2)|string|l is iterable and n is odd or no|not (1 in l)|1 not in l|n in (7, 8)|1 if 2 in l else 3|d.a + d.b * 2|(d.a + d.b) * 2|s|trim|length|'x' ~ 'y'|upper|'x' ~ ('y'|upper)|2 * 3 ~ 4|1 + 2 ~ 3|2 ** 3 ** 2|-3 ** 2|-3|abs|(-3)|abs|yes is true and no is false|'a,b'.split(',')|map('upper')|join('-')|nested[0][1][0] + 1|people[0].job.title|people[0]['job']['title']|people[1].job.title|people[-1].name[0]|(people|first).name|people|map(attribute='name')|map('first')|list
"""

TEMPLATES = [
    "plain text only", "", "\n", "text\n", "text\n\n", "\r\nx\r\ny\r", "{{ 'a' }}\n", "{{ 'a' }}\n\nb", "a {{- ' b ' -}} c", "a\n  {%- if yes -%}\n  b\n  {%- endif -%}\n c",
    "  {% if yes %}\n    x\n  {% endif %}\n  y", "  {%+ if yes %}x{% endif +%}\n  y", "a {% if yes %} \n b {% endif %} \n c", "{# c #}\nx", "  {# c #}  \nx", "a{#- c -#} b", "  {#+ c #}x", "x {# multi\nline #} y",
    "{% raw %}{{ x }}{% y %}{% endraw %}", "  {% raw -%}\n {{ x }} \n{%- endraw %}\n z", "{%- raw %} a {% endraw -%}\n b", "{% if yes %}\n\n\na\n{% endif %}\nb", "\t{% if yes %}\t\nx{% endif %}", "{{ '{{' }}{{ '%}' }}{{ \"}}\" }}",
    "{% for x in l %}{{ loop.index }}{{ loop.index0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.previtem }}{{ loop.nextitem }}{{ loop.depth }}{{ loop.depth0 }};{% endfor %}",
    "{% for x in empty %}a{% else %}none{% endfor %}", "{% for x in l %}{% if x == 1 %}{% continue %}{% endif %}{{ x }}{% else %}E{% endfor %}", "{% for x in l %}{% break %}{% else %}E{% endfor %}", "{% for x in l %}{{ x }}{% if x == 1 %}{% break %}{% endif %}{% else %}E{% endfor %}",
    "{% for k, v in d.items() %}{{ k }}={{ v }} {% endfor %}", "{% for k in d %}{{ k }}{% endfor %}", "{% for a, b in [(1, 2), (3, 4)] %}{{ a }}{{ b }}{% endfor %}", "{% for a, (b, c) in [(1, (2, 3))] %}{{ a }}{{ b }}{{ c }}{% endfor %}", "{% for a, b in [1] %}{% endfor %}", "{% for a, b in [(1, 2, 3)] %}{% endfor %}",
    "{% for x in l if x > 1 %}{{ loop.index }}/{{ loop.length }}:{{ x }} {% endfor %}", "{% for x in l if x > 9 %}{% else %}none{% endfor %}", "{% for x in people|selectattr('job') %}{{ loop.length }}{{ loop.last }}{{ x.name }}{% endfor %}", "{% for c in s %}{{ c }}.{% endfor %}", "{% for x in n %}{% endfor %}", "{% for x in nil %}{% endfor %}", "{% for x in nope %}a{% else %}b{% endfor %}",
    "{% for x in l %}{% for y in l %}{{ loop.index }}{{ x }}{{ y }} {% endfor %}{{ loop.index }}{% endfor %}", "{% for x in l %}{% set outer = loop %}{% for y in l %}{{ outer.index }}.{{ loop.index }} {% endfor %}{% endfor %}", "{% for x in [1, 1, 2, 2, 1] %}{% if loop.changed(x) %}{{ x }}{% endif %}{% endfor %}", "{% for x in l %}{{ loop.cycle('odd', 'even') }}{% endfor %}",
    "{% for n in tree recursive %}{{ n.v }}{% if n.kids %}({{ loop(n.kids) }}){% endif %}{{ loop.depth }}{% endfor %}", "{% for x in l %}{{ loop }}{% endfor %}", "{% for x in l %}{{ loop(l) }}{% endfor %}",
    "{% set x = 1 %}{% for i in l %}{% set x = x + i %}{{ x }} {% endfor %}{{ x }}", "{% set ns = namespace(x=0, y='a') %}{% for i in l %}{% set ns.x = ns.x + i %}{% set ns.z = i %}{% endfor %}{{ ns.x }}{{ ns.y }}{{ ns.z }}{{ ns.q is defined }}{{ ns['x'] }}", "{% set d.x = 1 %}", "{% set nope.x = 1 %}", "{% set a, b = 1, 2 %}{{ a }}{{ b }}", "{% set a = b = 1 %}", "{% set a, b = [3, 4] %}{{ a ~ b }}", "{% set t = 1, %}{{ t }}",
    "{% set x %}block {{ n }}{% endset %}[{{ x }}]", "{% set x | upper | trim %} block {{ n }} {% endset %}[{{ x }}]", "{% set ns = namespace() %}{% set ns.b %}in{% endset %}{{ ns.b }}", "{% if yes %}{% set q = 5 %}{% endif %}{{ q }}", "{% if no %}{% set q = 5 %}{% endif %}[{{ q }}]", "{% for i in l %}{% if i == 1 %}{% set q = 5 %}{% endif %}{{ q }}{% endfor %}{{ q is defined }}",
    "{% macro m(a, b=2, c=a) %}[{{ a }}{{ b }}{{ c }}]{% endmacro %}{{ m(1) }}{{ m(1, 3) }}{{ m(1, c=4) }}{{ m() }}{{ m(b=1, a=0) }}", "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}", "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(z=2) }}", "{% macro m(a) %}{{ a }}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, 3, x=4) }}", "{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}body {{ n }}{% endcall %}",
    "{% macro m(l) %}{% for x in l %}{{ caller(x) }}{% endfor %}{% endmacro %}{% call(x) m(l) %}<{{ x }}>{% endcall %}", "{% macro m() %}{{ caller is defined }}{% endmacro %}{{ m() }}", "{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}B{% endmacro %}{{ a() }}", "{{ m() }}{% macro m() %}x{% endmacro %}", "{% macro f(n) %}{{ n }}{% if n > 0 %}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(5) }}", "{% macro m(x) -%}\n  {{ x }}\n{%- endmacro %}\n{{ m('a') }}|{{ m('b')|upper }}|{{ m }}",
    "{% set g = 1 %}{% macro m() %}{{ g }}{% endmacro %}{% set g = 2 %}{{ m() }}", "{% macro m(x) %}{% set y = x * 2 %}{{ y }}{% endmacro %}{{ m(4) }}{{ y is defined }}", "{% for i in l %}{% macro m() %}{{ i }}{% endmacro %}{{ m() }}{% endfor %}", "{% macro m(items) %}{{ items|length }}{% endmacro %}{{ m(l) }}{{ m(items=d) }}", "{% macro m(*a) %}{% endmacro %}",
    "{% filter upper %}abc {{ s }}{% endfilter %}", "{% filter replace('a', 'b')|indent(2) %}a\na{% endfilter %}", "{% with a=1, b=n %}{{ a }}{{ b }}{% endwith %}{{ a is defined }}", "{% with %}{% set z = 1 %}{{ z }}{% endwith %}{{ z is defined }}", "{% with a=1 %}{% with b=a %}{{ b }}{% endwith %}{% endwith %}", "{% print n, s %}", "{% block x %}in {{ n }}{% endblock %}", "{% block x %}{% endblock %}{% block x %}{% endblock %}", "{% for x in l %}{% block b scoped %}{{ n }}{% endblock %}{% endfor %}",
    "{% if yes %}a{% elif no %}b{% else %}c{% endif %}", "{% if no %}a{% elif yes %}b{% else %}c{% endif %}", "{% if no %}a{% elif no %}b{% else %}c{% endif %}", "{% if l and d and not nil %}x{% endif %}", "{% if s is string and n > 5 %}x{% endif %}", "{% if a is defined and a %}{% endif %}.", "{% if yes: %}a{% endif %}", "{% for x in l: %}{{ x }}{% endfor %}",
    "{% if %}{% endif %}", "{% if yes %}", "{% endif %}", "{% for x %}{% endfor %}", "{% for x in %}{% endfor %}", "{{ }}", "{{ 1 + }}", "{{ (1 }}", "{{ [1, }}", "{{ 'a }}", "{{ a b }}", "{% unknown %}", "{% set %}", "{% set 1 = 2 %}", "{% set true = 2 %}", "{{ 1 $ 2 }}", "{{ x|nofilter }}", "{{ x is notest }}", "{% if no %}{{ x|nofilter }}{% endif %}", "{% if yes %}{{ x|nofilter }}{% endif %}", "{{ 'a' if yes else x|nofilter }}", "{% for x in empty %}{{ x|nofilter }}{% endfor %}", "{% do x %}", "{% include 'a' %}", "{% break %}", "{# open", "{% raw %} open", "{{ 'a' ", "{% if yes ", "}} %} #}", "{ { % }", "{{ {'a': {'b': 1}}.a.b }}", "{{{'a': 1}}}", "{{ {'a': {}} }}", "{%- set x = 1 -%}\n\n  {{- x -}}  \n", "{{ f(1) }}", "{{ m.x }}", "{% macro m( %}{% endmacro %}", "{{ m(a=1, 2) }}", "{{ s.strip(1) }}", "{{ s.split('') }}", "{{ l|join(1) }}", "{{ is }}", "{{ s is string is true }}", "{{ not }}", "{{ 5 is not }}", "{{ x.1 }}{{ l.0 }}{{ l.0.1 }}", "{{ 1.foo }}",
    "{% set x = l|map('string') %}{{ x|list }}{{ x|list }}", "{% set x = people|selectattr('job') %}{% for p in x %}{{ p.name }}{% endfor %}{% for p in x %}{{ p.name }}{% endfor %}{{ x is iterable }}", "{% set c = cycler('a', 'b', 'c') %}{{ c.next() }}{{ c.next() }}{{ c.current }}{{ c.next() }}{{ c.next() }}", "{% set j = joiner(', ') %}{% for x in l %}{{ j() }}{{ x }}{% endfor %}", "{% set ns = namespace(found=false) %}{% for x in l if not ns.found %}{{ x }}{% if x == 1 %}{% set ns.found = true %}{% endif %}{% endfor %}",
    "{% set ns = namespace(found=false) %}{% for x in l if not ns.found %}{{ loop.last }}{{ x }}{% if x == 1 %}{% set ns.found = true %}{% endif %}{% endfor %}", "{% for x in l %}{% generation %}{% set q = 1 %}g{{ x }}{{ q }}{% endgeneration %}{{ q is defined }}{% endfor %}", "{% generation %}\n  a\n{% endgeneration %}\nb", "{%- generation -%} a {%- endgeneration -%} b", "{% for x in l %}{% generation %}{% break %}{% endgeneration %}{% endfor %}", "{% set loop = 1 %}{{ loop }}", "{% for loop in l %}{% endfor %}", "{% set x = 'a' %}{% set x = x ~ 'b' %}{{ x }}",
    "{% for m in people %}{{ '' if loop.first else ', ' }}{{ m.name }}{%- endfor -%}.", "{% for i in range(3) %}{{ people[i].name }}{% endfor %}", "{{ people|map(attribute='age')|sum }}", "{% set total = people|map(attribute='age')|list|length %}{{ total }}", "{% set x = {'a': [1, 2, {'b': 'c'}]} %}{{ x.a[2].b }}{{ x['a'][:2] }}{{ x }}", "{{ dict(people[0], extra=1)|tojson }}", "{{ people[0].items()|list }}", "{% for k, v in people[0]|items %}{{ k }}{% endfor %}", "{% for k, v in d|dictsort %}{{ k }}{{ v }}{% endfor %}", "{% for g in people|groupby('age') %}{{ g.grouper }}:{{ g.list|length }} {% endfor %}",
    "{% set a = 1 %}{% set b %}{{ a }}{% set a = 2 %}{{ a }}{% endset %}{{ b }}{{ a }}", "{{ [1, 2, 3][1:]|join }}", "{{ '%s' | format(n) }}", "{{ 'a' | upper() }}", "{{ ('a', 'b') | join }}", "{{ l[1:2:1] }}{{ l[:] }}{{ l[::] }}{{ l[1,2] }}", "{{ 'x'.join(['a'] * 3) }}", "{{ '' }}{{ none }}{{ true }}{{ 1.0 }}", "\u00a0{% if yes %}\u2003\nx{% endif %}\u3000{%- if yes %}y{% endif %}", "{% if yes -%}\u00a0\u2028 x{% endif %}", "{{ nöt }}{% set ä = 1 %}{{ ä }}", "{% macro outer() %}{% macro inner() %}i{% endmacro %}{{ inner() }}{% endmacro %}{{ outer() }}", "{{ l.__len__ }}", "{{ ''.format }}", "{% set x = namespace(a=namespace(b=1)) %}{{ x.a.b }}", "{{ (1, 2)|tojson }}{{ [(1, 2)]|tojson }}", "{{ 'a\\nb' }}{{ \"a\\nb\" }}", "{{ s|replace('Hello', '')|trim|length }}",
    "{% for x in [[1, 2], [3, 4]] %}{% set a, b = x %}{{ a + b }}{% endfor %}", "{% set a = [] %}{% for x in l %}{% set a = a + [x] %}{% endfor %}{{ a }}", "{% set ns = namespace(a=[]) %}{% for x in l %}{% set ns.a = ns.a + [x] %}{% endfor %}{{ ns.a }}", "{% if 'a' in ['a'] and 'b' not in ['a'] %}ok{% endif %}", "{{- '' -}}\n\n x", "x\n\n{{- '' }}", "a\n{%- if yes %}\nb{% endif %}\n", "{%if yes%}a{%endif%}", "{{n}}{{-n-}}{{ n -}} {{- n}}", "{{ l if l is iterable and l is not string and l is not mapping else 'x' }}",
]


def _segments(line):
    """The line cut at each | that stands outside of quotes and brackets."""
    depth, quote, current = 0, "", ""
    for at, c in enumerate(line):
        if quote:
            quote = "" if c == quote and line[at - 1] != "\\" else quote
        elif c in "'\"":
            quote = c
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif c == "|" and depth == 0:
            yield current
            current = ""
            continue
        current += c
    yield current


def expressions(filters):
    """The expressions of EXPRESSIONS: a | before the name of a filter applies it, any other | parts two expressions."""
    for line in EXPRESSIONS.strip().split("\n"):
        current = ""
        for segment in _segments(line):
            name = re.match(r"\s*(\w*)", segment).group(1)
            if current and name in filters and segment.strip() != "d":
                current += "|" + segment
            else:
                if current:
                    yield current
                current = segment
        yield current
