//! Hand-written documents, each small and each with forms that are easy to get
//! wrong. Charts rarely hold them; somebody's chart does.

/// Name and text.
pub const DOCUMENTS: &[(&str, &str)] = &[
    (
        "block",
        "# head\napiVersion: v1\nkind: Service\nmetadata:\n  name: edge   # the name\n  labels:\n    app: edge\n    tier: \"1\"\nspec:\n  # about ports\n  ports:\n    # first\n    - name: web\n      port: 80\n    # second\n    # in two lines\n    - port: 443 # tls\n      name: tls\n\n  # about type\n  type: LoadBalancer\n# foot\n",
    ),
    (
        "indentless",
        "spec:\n  containers:\n  - name: a\n    env:\n    - name: X\n      value: \"1\"\n    - name: Y\n      valueFrom:\n        fieldRef:\n          fieldPath: metadata.name\n    args: [\"-c\", 'x', plain]\n  # the second one\n  - name: b\n    # why\n    command:\n    - sh\n    - -ec\n    # a script\n    - |\n      set -e\n      # not a comment\n      run\n  volumes:\n  - name: v\n    emptyDir: {}\n",
    ),
    (
        "four spaces",
        "a:\n    b:\n        - x: 1\n          z: 2\n        - x: 3\n    c:\n        d:\n            e: 1\nf: {}\ng: []\nh:\n",
    ),
    (
        "empty parents",
        "env:\nports: # none\nlabels: {}\nargs: [] # c\nnested:\n- \n- # c\n- {}\n- []\n- a:\n  b:\nlast:\n",
    ),
    (
        "nested sequences",
        "- - a\n  - b # c\n  # d\n  - - e\n    - f\n- - - deep\n- -   wide\n  -   gap\n-\n  - below\n  -\n    - more\n- x: 1\n  k:\n  - - 1\n    - 2\n",
    ),
    (
        "flow",
        "a: [1, two, \"three\"]\nb: {c: 1, d: {e: [x, 'w']}}\nf: { g: 1, h: [ 1, 2 ] }\ni: [\n  one,\n  two,\n]\nj: {\n  k: 1,\n  l: 2\n}\nm:\n- {p: 1, q: 2}\n- {p: 3}\n- [[], {}, [1]]\no: [r: 1, s]\nt: {u, v: , \"w\":}\ny: {on two\n  lines, last}\nz: [1,2,{a: 1}]\n",
    ),
    (
        "json",
        "{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"Service\",\n  \"metadata\": {\n    \"name\": \"edge\",\n    \"labels\": {}\n  },\n  \"spec\": {\n    \"ports\": [\n      {\n        \"port\": 80\n      },\n      {\n        \"port\": 443,\n        \"name\": \"tls\"\n      }\n    ],\n    \"type\": \"LoadBalancer\",\n    \"n\": null\n  }\n}\n",
    ),
    ("json on one line", "{\"a\":1,\"b\":{\"c\":[1,2,\"x\"],\"d\":{}},\"e\":[{\"f\":null},[]]}"),
    (
        "block scalars",
        "data:\n  a: |\n    one\n    two\n\n  # about b\n  b: |+\n    keep\n\n\n  c: >-\n    folded\n    text\n\n      more\n  d: |-\n     # text\n     strip\n  e: |2\n      indented\n    less\n  f: |\n  g: >\n    one line\n  h: | # header\n    text\nlist:\n- |\n  first\n- |+\n  second\n\n- >-\n  third\n- last\nk: |\n    end\n",
    ),
    ("block scalar, then nothing", "a: 1\nb: |\n  text\n  # EOF"),
    ("kept blank lines at the end", "a: 1\nb: |+\n  text\n\n\n"),
    (
        "scalars",
        "plain: some text\nsingle: 'it''s'\ndouble: \"a\\tb\"\nnumber: 0644\nfloat: 1.5\nbool: yes\nnull1: ~\nnull2: null\nlong: one\n  two\n  three\nquoted: \"one\n  two\"\nnext line:\n  value\nurl: http://x:80/y#z\ntagged: !!str 123\nbinary: !!binary aGVsbG8=\nown: !foo bar\n",
    ),
    (
        "comments",
        "# 1\n\n# 2\na: 1 # 3\n# 4\n\n# 5\nb:\n# 6\n  # 7\n  c: 1\n  # 8\n\n  # 9\n  d:\n  # 10\n  - x # 11\n  # 12\n    # 13\n  - z\n  # 14\n # 15\n# 16\ne: 2 # 17\n# 18\n",
    ),
    (
        "crlf",
        "a:\r\n  b: 1 # c\r\n  d:\r\n  - x\r\n  - z\r\n  # e\r\n  f: |\r\n    one\r\n    two\r\ng: {h: 1}\r\ni:\r\n",
    ),
    ("no final newline", "a: 1\nb:\n  c:\n  - x: 1\n    z: 2"),
    ("no final newline, null", "a: 1\nb:\n- x\nc:"),
    ("no final newline, comment", "a: 1\nb:\n  c: 1\n  # end"),
    (
        "anchors",
        "base: &base\n  a: 1\n  b: &inner {c: 1}\ncopy: *base\nuse:\n  k: *inner\n  l: &lone text\n  m: &num 5\nlist:\n- &item x\n- *item\n- *base\nown: &o\n- 1\n",
    ),
    (
        "merge keys",
        "base: &base\n  a: 1\n  b: {c: 1}\nother: &other {d: 2, a: 3}\nearly:\n  <<: *base\n  a: 2\n  e: 1\nlate:\n  a: 2\n  # merged\n  <<: *base\n  e: 1\nlist:\n  !!merge <<: [*base, *other]\n  e: 1\nboth:\n  <<: *base\n  f: 1\n  <<: *other\ninline:\n  <<: {x: 1}\n  w: 1\n",
    ),
    ("duplicate keys", "a: 1\nb: 2\na: 3 # last\nc:\n  d: 1\n  d: 2\n  e: 1\n"),
    (
        "keys",
        "\"quoted\": 1\n'single': 2\n? explicit\n: 3\n? long\n:\n  a: 1\n  b: 2\n? dashes\n: - 1\n  - 2\nspaced : 4\ny: 5\n1: 6\n\"a/b~c\": 7\n\"\": 8\n? lone\n",
    ),
    ("tabs", "a:\t1\t# c\nb:\t{c:\t1,\td: 2}\ne:\t\nf:\t[x,\tz]\t\n"),
    ("unicode", "\u{feff}é: ü # ö\n\"日本\": [\"語\", é]\n😀:\n- ä: 1\n  ß: 2\n"),
    ("blanks", "\n\na:   1   \n\n\nb:\n\n\n  c: 1\n\n\n  d:   \n\n\n  - x   \n\n\n  - z\n\n\ne: 1\n\n\n"),
    (
        "odd indents",
        "a:\n b: 1\n c:\n       - x\n       -  w: 1\n          v: 2\nd:\n   e:\n     f: 1\n   g:\n      - 1\n",
    ),
    (
        "properties",
        "a: !!map\n  b: 1\nc: &x\n  # d\n  d: 1\ne: &y !!seq\n- 1\nf: !!null\ng: &z\nh:\n- &w\n  i: 1\n- !!map\n  j: 1\n- &v k: 1\n  l: 2\n",
    ),
    (
        "properties on lines",
        "a: &x # a\n  {b: 1} # b\nc: !!str # c\n  text # d\ne:\n  # e\n  &y\n  f: 1\ng: !!seq # g\n# h\n- 1 # i\nj: !!str &z\n  # k\n  |\n  text\nk:\n  # l\n  | # m\n  text\nl:\n  'x' # n\n",
    ),
    ("one item", "a:\n- x\nb:\n  c: 1\nd: [1]\ne: {f: 1}\n"),
    ("one key", "a: 1\n"),
    ("only a list", "# head\n- 1\n- 2\n# foot\n"),
    ("end mark", "a: 1\nb:\n- x\n...\n"),
    (
        "flow with comments",
        "a: [\n  # one\n  x, # x\n  # two\n  z # z\n]\nb: {\n  c: 1, # c\n  # d\n  d: 2\n}\n",
    ),
];
