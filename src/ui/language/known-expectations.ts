/** What the server says that a field has to be, after "expected ". */
import type { Known } from './known-sentences.ts';
import { t } from './server/text.ts';

const e = t.expected;

const general: readonly Known[] = [
  [/^a string$/, e.string],
  [/^a number$/, e.number],
  [/^a whole number$/, e.whole],
  [/^true or false$/, e.boolean],
  [/^a list$/, e.list],
  [/^an object$/, e.object],
  [/^at least (?<limit>-?[\d.]+)$/, e.atLeast],
  [/^more than (?<limit>-?[\d.]+)$/, e.moreThan],
  [/^at most (?<limit>-?[\d.]+)$/, e.atMost],
  [/^less than (?<limit>-?[\d.]+)$/, e.lessThan],
  [/^a multiple of (?<limit>[\d.]+)$/, e.multiple],
  [/^at least (?<count>\d+) characters?$/, e.minCharacters],
  [/^at most (?<count>\d+) characters?$/, e.maxCharacters],
  [/^at least (?<count>\d+) entr(?:y|ies)$/, e.minEntries],
  [/^at most (?<count>\d+) entr(?:y|ies)$/, e.maxEntries],
  [/^(?<values>"[^"]*"(?:(?:, | or )"[^"]*")*)$/, e.oneOf],
  [/^a different value$/, e.different],
  [/^no field of this name$/, e.extra],
  [/^a URL$/, e.url],
  [/^an http or https URL$/, e.webUrl],
  [/^text$/, e.text],
];

const ofSearches: readonly Known[] = [
  [/^a URL, a host or host\/path$/, e.place],
  [/^an ISO 8601 date or date-time/, e.date],
  [/^from to be no later than to; got (?<from>\S+) and (?<to>\S+)$/, e.dates],
  [/^source_whitelist or source_blacklist; got both$/, e.lists],
  [/^a question or statement$/, e.question],
  [/^a PNG, JPEG, GIF or WebP image$/, e.image],
  [/^(?:base64 or an http\(s\) URL|a URL on a public address)$/, e.imageAddress],
  [/^an image of at most (?<limit>\d+) megapixels$/, e.imagePixels],
  [/^an image of at most (?<limit>\d+) MB$/, e.imageSize],
  [/^(?:the model|one of the models) (?<values>"[^"]*"(?:, "[^"]*")*)$/, e.model],
  [/^the id of (?:one of your searches|a search, such as s_…)$/, e.ownSearch],
  [/^true(?:, which begins a thread,)? or the id of one of your threads$/, e.ownThread],
  [/^a thread with fewer than (?<limit>\d+) searches; begin another one$/, e.threadTurns],
  [/^a thread of at most (?<bytes>\d+) bytes; this one is too large to be shared$/, e.threadSize],
  [/^a search that has ended$/, e.ended],
];

const ofForms: readonly Known[] = [
  [/^a name$/, e.name],
  [/^a name on one line$/, e.nameLine],
  [/^a name that does not begin with "col_", as ids do$/, e.nameStart],
  [/^a name that no other collection of the account has$/, e.nameTaken],
  [/^the id of a source that your searches find$/, e.source],
  [/^at most (?<limit>\d+) sources in a collection$/, e.collectionSources],
  [/^the name or id of one of your collections$/, e.collection],
  [/^a folder that exists and is in one of SOURCE_ROOTS on the server$/, e.folder],
  [/^either url or folder$/, e.eitherSource],
  [/^a (?:file|form with one file)$/, e.file],
  [/^a file name(?: without a path)?$/, e.fileName],
  [/^a secret, because no enabled webhook of this account has this URL$/, e.webhook],
  [/^five fields$/, e.cronFields],
  [/^a cron expression such as (?<example>"[^"]*")$/, e.cron],
  [/^a cron expression that matches at some time; got one that never does$/, e.cronNever],
  [/^an IANA time zone$/, e.timeZone],
  [/^a version number, "newest" or "draft"$/, e.version],
  [/^an account other than your own: /, e.ownAccount],
  [/^a reason only with the status suspended or banned$/, e.reason],
  [/^plan, status, or both; got neither$/, e.plan],
  [/^at most (?<limit>\d+) characters as JSON$/, e.inputsSize],
  [/^inputs that make a prompt of at most (?<limit>\d+) characters; got (?<characters>\d+)$/, e.promptSize],
  [/^inputs that make a prompt; got only white space$/, e.promptBlank],
];

const ofDesigns: readonly Known[] = [
  [/^lower-case letters and digits, separated by [^;]*$/, e.path],
  [/^a stub that no other design of the account has$/, e.pathTaken],
  [/^a stub that nobody else has published$/, e.pathPublished],
  [/^at most (?<limit>\d+) designs per account$/, e.designs],
  [/^an input of type "string", "number" or "boolean"$/, e.inputType],
  [/^a letter followed by letters, digits or "_", [^;]*$/, e.inputName],
  [/^\{\{name\}\} with the name of an input: [^;]*$/, e.placeholder],
  [/^the prompt to use this input as \{\{(?<name>[^}]*)\}\}; got no such placeholder$/, e.inputUnused],
  [/^an input for each \{\{name\}\}; got none for (?<names>.+)$/, e.inputMissing],
  [/^at most (?<limit>\d+) inputs; got (?<got>\d+)$/, e.inputCount],
  [/^no default, because the input is required$/, e.noDefault],
  [/^min to be at most max \((?<limit>-?[\d.]+)\); got (?<got>-?[\d.]+)$/, e.minMax],
  [/^a value between min and max$/, e.between],
  [/^one of the values of enum$/, e.ofChoices],
  [/^at most (?<limit>\d+) levels$/, e.levels],
  [/^an array of exactly one object, "string" or "number"$/, e.listOfOne],
  [/^at least one field; got \{\}$/, e.fields],
  [/^an object whose keys name fields$/, e.fieldsObject],
  [/^another name; "__proto__" is reserved$/, e.reserved],
  [/^a name of at most (?<limit>\d+) characters; got (?<got>\d+)$/, e.nameLength],
  [/^at most (?<limit>\d+) (?:leaves|fields in total); got more$/, e.leaves],
  [/^"string", "number" or "boolean", an object, or an array of one object, "string" or "number"$/, e.leaf],
  [/^an answer; its run was cancelled by /, e.answer],
  [/^an answer; its run failed with \w+: (?<reason>.+)$/s, e.answerFailed],
  [/^the shape of output_format; got a different one at (?<place>".*")$/, e.shape],
];

/** Whole, or without what was received; the first that matches counts. */
export const knownExpectations: readonly Known[] = [...general, ...ofSearches, ...ofForms, ...ofDesigns];
