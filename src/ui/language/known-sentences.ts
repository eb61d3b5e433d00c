/** The sentences of the server that a page shows: why something could not be read, was refused or was not delivered. */
import type { Plural } from './message.ts';
import { t } from './server/text.ts';

/** A message of the server, whole, and its text in the language of the page; named groups fill its placeholders. */
export type Known = readonly [RegExp, text: string | Plural];

const { pages, files, refused, values, deliveries } = t;

const pageSentences: readonly Known[] = [
  [/^The page is damaged and could not be read\.$/, pages.damaged],
  [/^Expected HTML, JSON, a feed, .*; got Content-Type (?<type>.*)\.$/, pages.type],
  [/^Expected Markdown, HTML, text, .*; got a file of another kind\.$/, pages.file],
  [/^This is an old or protected Office file; /, pages.oldOffice],
  [/^The document has a password; /, pages.password],
  [/^The book is protected against copying \(DRM\), /, pages.drm],
  [/^The page took too long to read\.$/, pages.slow],
  [/^This machine was too busy to read the page\./, pages.busy],
  [/^The page could not be read: it exceeds the memory limit/, pages.memory],
  [/^The page could not be read: its reader could not be started\./, pages.reader],
  [/^The canonical URL of the page is excluded by the source lists/, pages.excluded],
  [/^\S+ is excluded by the source lists of this request\.$/, pages.excluded],
  [/^Expected an absolute http\(s\) URL\.$/, pages.address],
  [/^Expected port 80 or 443; got (?<port>\d+)\.$/, pages.port],
  [/^Expected an http or https URL; got (?<scheme>".*")\.$/, pages.scheme],
  [/^Expected a URL without a user name or password\.$/, pages.credentials],
  [/^(?<host>\S+) is not a public internet address\.$/, pages.internal],
  [/^The robots\.txt of (?<host>\S+) does not allow this page\.$/, pages.robots],
  [/^The robots\.txt of (?<host>\S+) could not be read/, pages.noRobots],
  [/^The body does not match its Content-Encoding\.$/, pages.encoding],
  [/^Expected (?:at most \d+ content codings|one of .* as Content-Encoding); got /, pages.encoding],
  [/^The page is larger than (?<limit>\d+) MB once unpacked\.$/, pages.size],
  [/^The page redirects more than (?<limit>\d+) times\.$/, pages.redirects],
  [/^The site sent (?:only part|a part) of the page, /, pages.part],
  [/^The page is incomplete: its body ends before /, pages.part],
  [/^The page's server answered (?<status>\d+)\.$/, pages.status],
  [/^The page did not respond in time\.$/, pages.timeout],
  [/^The host name could not be resolved\.$/, pages.name],
  [/^The response headers are too large\.$/, pages.headers],
  [/^The connection to the page failed\.$/, pages.connection],
];

const fileSentences: readonly Known[] = [
  [/^it cannot be read \(permission denied\)$/, files.permission],
  [/^it does not exist$/, files.missing],
  [/^it is a folder$/, files.folder],
  [/^its symbolic links form a loop$/, files.loop],
  [/^its name is not UTF-8$/, files.name],
  [/^it is a link that leads out of the folder$/, files.outside],
  [/^it is larger than (?<limit>\d+) MB$/, files.size],
  [/^it is not text$/, files.binary],
  [/^it is empty; its pages are kept /, files.kept],
  [/^it has no text; it may be scanned$/, files.scanned],
  [/^it has no text; it may be drawn by scripts$/, files.scripted],
  [/^it (?:is empty|has no text)$/, files.empty],
  [/^it is not a sitemap$/, files.sitemap],
  [/^its URL is neither http\(s\) nor file$/, files.address],
  [/^(?<source>.+) cannot be indexed: (?<reason>.+)\.$/s, files.cannot],
  [/^The indexing was interrupted\.$/, files.interrupted],
  [/^The plan allows an account (?<bytes>\d+) bytes of sources\. The pages read so far are kept/, files.full],
  [/^The disk with the index .+ is full; /, files.disk],
  [/^Another process kept the index .+ locked for too long; /, files.locked],
];

/** Programs know scopes by their names; pages say what they allow, also in English. */
export const namingScopes: readonly Known[] = [
  [/^This key may not .+: it is restricted to (?<scopes>(?!collections\.$).+)\.$/, refused.scope],
];

const refusedSentences: readonly Known[] = [
  [/^This key may not .+: it is restricted to collections\.$/, refused.collections],
  ...namingScopes,
  [/^Expected an administrator: /, refused.administrator],
  [/^This source is shared by all accounts: /, refused.shared],
  [/^Only an administrator may add sources for all accounts/, refused.share],
  [/^This account is suspended\.$/, refused.suspended],
  [/^This account is suspended: (?<reason>.+)$/s, refused.suspendedWhy],
  [/^This account is banned\.$/, refused.banned],
  [/^This account is banned: (?<reason>.+)$/s, refused.bannedWhy],
  [/^A browser that signed in with a key cannot manage keys: /, refused.keyed],
  [/^An account has at most (?<limit>\d+) keys; /, refused.keys],
  [/^An account has at most (?<limit>\d+) webhooks; /, refused.webhooks],
  [/^An account has at most (?<limit>\d+) schedules; /, refused.schedules],
  [/^An account has at most (?<limit>\d+) collections; /, refused.collectionCount],
  [/^At most (?<limit>\d+) invitations are open; /, refused.invitations],
  [/^The plan allows an account (?<limit>\d+) sources; /, refused.sources],
  [/^The plan allows an account (?<bytes>\d+) bytes of sources; /, refused.bytes],
  [/^Expected a valid API key in the header /, refused.key],
  [/^This key may make (?<limit>\d+) .+ in (?<seconds>\d+) s; try again in (?<wait>\d+) s\.$/, refused.rate],
  [/^There is no designed API (?<name>".*") for this account\.$/, refused.noApi],
  [/^There is no published API (?<name>".*")\.$/, refused.noApi],
  [/^There is no version (?<version>\d+) of a published API (?<name>".*")\.$/, refused.noVersion],
  [/^Every version of (?<name>".*") is retired; /, refused.retired],
];

/** Why a field of a template is empty. */
const valueSentences: readonly Known[] = [
  [/^The model returned no value that the field may have\.$/, values.none],
  [/^The value has the wrong type for this field\.$/, values.type],
  [/^The value is not (?:one of|a |an |at |above |below |matching |no two ).+\.$/s, values.notAllowed],
];

const deliverySentences: readonly Known[] = [
  [/^The receiver answered (?<status>\d+)(?: Gone)?\.$/, deliveries.status],
  [/^The receiver answered (?<status>\d+): redirects are not followed\.$/, deliveries.redirect],
  [/^The receiver did not answer in time\.$/, deliveries.timeout],
  [/^The connection to the receiver failed\.$/, deliveries.connection],
  [/^The server could not read the signing secret\.$/, deliveries.secret],
  [/^The endpoint is disabled\.$/, deliveries.disabled],
  [/^Disabled by the account\.$/, deliveries.byAccount],
  [/^The key that made it was revoked\.$/, deliveries.keyRevoked],
  [/^Internal error; see the server log\.$/, deliveries.internal],
];

/** The first that matches counts. */
export const knownSentences: readonly Known[] = [
  ...pageSentences,
  ...fileSentences,
  ...refusedSentences,
  ...valueSentences,
  ...deliverySentences,
];
