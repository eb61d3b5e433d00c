/**
 * What questions ask for, and how texts say it: the forms that asked-form.ts looks for, by the type of value.
 */
import { monthAbbreviations, months } from '../../../../base/text/dates/months.ts';
import { hourQuestion, type ValueType } from './asked-value.ts';

export interface Form {
  readonly question: RegExp;
  /** Global. */
  readonly answer: RegExp;
  /** Whether a text without it may answer. */
  readonly isOptional?: true;
}

const numeral = String.raw`\d[\d.,]*`;
const numberWords =
  '(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|eighteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|(?:a |one )?hundred|(?:a |one )?thousand|half an?|a|an)';
/** An amount before its unit. A word is apart from it: "a m" may be a metre, but not "am". */
const amountOf = String.raw`(?:${numeral}[\s-]?|${numberWords}[\s-])`;
const ofUnit = (units: string) => new RegExp(String.raw`(?<![\p{L}\d])${amountOf}(?:${units})(?!\p{L})|[±×°]`, 'giu');
const lengths =
  'km²?|m[²2]?|cm²?|mm|(?:square |cubic )?(?:kilo|centi|milli)?met(?:er|re)s?|miles?|feet|foot|ft|inch(?:es)?|yards?|hectares?|ha|acres?|square feet|sq\\.? ?(?:m|ft)|pages?';
const currency = String.raw`[$£€¥]|kr\b|kroner\b|euros?\b|EUR\b|dollars?\b|pounds?\b|pence\b|cents?\b|CHF\b|Fr\.|Franken\b|francs?\b|million\b|billion\b`;
/** "£12", "costs 9", "5 a head", "free of charge"; not "60 a second", "10.00–11.00", "room 1.12" and "shake it free". */
const price = [
  String.raw`[$£€¥]\s?\d|\d[\d.,]*\s?(?:${currency})|(?<![\d.,])\d{1,3}(?:\.\d)?p\b(?!\.?m)|\b${numberWords} (?:${currency})`,
  String.raw`(?<![\d.:]|\d[.:]\d\d ?[–-] ?|\b(?:version|section|chapter|clause|article|figure|number|no\.|ext\.) )(?!(?<=(?<!\b(?:an?|each|every|per) )\b(?:room|office|flat|unit|plot) )\d\.\d\d(?! (?:an?|per)\b))\d+[.,]\d{2}\b(?![.:]?\d|\s?[–-]\s?\d{1,2}[.:]\d\d|\s?(?:%|[ap]\.?m|${lengths}|kg|g|l)(?!\p{L}))`,
  String.raw`(?<!\d)\d+ (?:an?|per) (?:day|night|week|month|year|head|person|hour|half|piece|copy|child|adult|visit|kilo|kg|page|car|seat|household)\b`,
  String.raw`\b(?:costs?|pays?|price|fee|admission|is|for|about|another|only|charge) \d+(?![\d.:,%]|\s?(?:${lengths}|%|[ap]\.?m|${months.join('|')}|\p{L}+s\b))`,
  String.raw`\b(?:(?:is|are|be|for|entirely|rides?|travel|admission|\|) free\b|free (?:of|for)\b|free(?=$|[.,;)])|half price|(?:double|triple|twice)(?: the|(?=$|[.,;)]))|time and a half|pays? (?:half|double)|(?:no|without|at no) (?:extra )?(?:charge|cost|fee)|costs? nothing|nothing|none|(?<!\b(?:not|n't|n’t|never) )includ(?:ed|es?)|quarter is taken|nobody pays|do(?:es)? not pay)(?!\p{L})`,
].join('|');
const timeUnits = 'seconds?|minutes?|hours?|days?|weeks?|months?|years?|times';
const colours =
  'red|blue|green|black|white|yellow|gr[ea]y|brown|orange|purple|pink|violet|silver|gold|beige|turquoise|navy|anthracite';

const notNames = `${months.map((each) => each[0]!.toUpperCase() + each.slice(1)).join('|')}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?`;
const street = '(?:Road|Street|Lane|Avenue|Square|House|Hall|Park|Bridge|Station|Museum|School|Cup|River|Hill)s?\\b';
/** Words that begin sentences and are not names. */
const notBegun =
  'The|This|That|These|Those|It|There|He|She|They|We|You|A|An|If|When|While|As|In|On|At|With|Without|After|Before|During|Since|Until|For|From|By|Per|Please|Most|Each|Every|Any|All|Some|Several|No|Not|Only|Both|Either|Neither|Other|Here|What|Which|How';
/** "Milk is not allowed", "Boarding ends at 9": said of things; not "Fleming keeps the keys", "Marta is available on Mondays". */
const ofThings = String.raw`\p{Lu}\p{Ll}{2,}ing (?:(?:is|was) (?!(?:also |now |still )?(?:the|our|an?|in charge|responsible|elected|appointed|chosen|head|chair\w*|treasurer|secretary|on duty|away|ill)\b)|(?:(?:ends|begins|starts|stops|opens|closes)(?! (?:the|our|his|her|an?)\b)|costs|lasts|includes|requires|needs|means|continues)\b)|\p{L}+ (?:is|was) (?:not |also |only |always |never )?(?:allowed|permitted|forbidden|prohibited|included|open|closed|served|sold|held|due)\b`;
const firstName = String.raw`(?!(?:${notBegun}|${notNames})\b)\p{Lu}\p{Ll}+`;
/** A name of a person or firm, and not where something is: "Luca keeps", "by Ane Brekke"; not "in Cologne", "Station Road". */
const named = new RegExp(
  [
    String.raw`\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Herr|Frau|Cllr|Sir)\b`,
    String.raw`(?<![\p{L}\d'’-])(?!(?:${notNames})\b|${street})\p{Lu}[\p{Ll}'’-]+(?: (?:de|van|von|der|di|da|&))? (?!${street})\p{Lu}[\p{L}'’-]+(?! ${street})`,
    String.raw`(?<=\()\p{Lu}\p{Ll}+(?=[,)])`,
    String.raw`(?<=[\p{L}\p{N},;:)|] (?:the )?)(?<!\b(?:in|at|near|from|to|on|of|the|The) )(?!(?:${notNames})\b|${street})\p{Lu}\p{Ll}+(?![\p{L}'’-])(?! ${street})`,
    String.raw`^(?!${ofThings})${firstName} (?=\p{Ll}+(?:s|ed)\b|(?:and|or|will|took|wrote|spoke|led|said)\b)`,
    // In a later sentence of an item: "Summer party on Saturday. Piotr organises the grill."
    String.raw`(?<=[\p{L}\p{N})][.!] )${firstName} (?=(?!(?:is|was|has|does)\b)\p{Ll}+(?:s|ed)\b|(?:will|took|wrote|spoke|led|said)\b)`,
  ].join('|'),
  'gu',
);
const people = String.raw`^(?:We|I|You)\b|\b(?:managers?|directors?|office|team|owners?|staff|department|secretary|treasurer|chair\w*|officers?|head|tenants?|landlord|members?|residents?|people|whoever|captain|coach|parents?|guests?|customers?|nobody|everybody|everyone|anyone|someone|police|council|committee|doctor|caretaker|reception|(?:help|front) ?desk|helpline|hotline|support|service|company|firm|employer|employee|supplier|landlady|nurse|neighbours?|authority|agency|board|group|union|institute|university|\p{Ll}+(?:ists?|eers?|ians?))(?!\p{L})`;

/** "10 June", "on Tuesdays", "in 1895", "the third of each month", "two years ago", "every 30,000 km". */
const date = String.raw`\b(?:1\d{3}|20\d{2}|\d{1,2}[./]\d{1,2}\.?)\b|\b(?:${[...months, ...monthAbbreviations].join('|')}|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?|weekends?|weekdays?|spring|summer|autumn|winter|christmas|easter|today|tomorrow|yesterday|tonight)\b|\b\d{1,2}(?:st|nd|rd|th)\b|\b(?:first|second|third|fourth|last|same|next|following|previous|every|each) (?:\p{L}+ )?(?:day|week|month|quarter|year)s?\b|\b(?:daily|ago|century|war)\b|\b(?:every|after|at|all) \d[\d., ]*(?:km|kilomet(?:er|re)s|miles|hours|pages|uses|washes|litres)\b`;
/** "06:50", "7 pm" */
const time = String.raw`\b\d{1,2}[.:]\d{2}\b|\b\d{1,2} ?(?:[ap]\.?m\b|o'clock)`;
/** Other ways to say when: "after the move", "as soon as it is paid", "at 7.30", "within 14 days". */
const moment = String.raw`${time}|\b(?:noon|midnight|after(?:wards)?|before|until|till|once|when|whenever|while|during|within|as soon as|if|at the (?:end|start|beginning)|on (?:arrival|departure|request|receipt)|in advance|at (?:night|dusk|dawn|sunrise|sunset|\p{L}+)|from|by|(?:in|for|than|over) (?:\p{L}+ ){0,2}(?:days?|weeks?|months?|years?|hours?|minutes?)|days?|mornings?|evenings?|immediately|at once|never|always|there (?:is|are|will be) no)\b`;

/** By type; the first whose question fits counts. A type without one has the patterns of its type. */
export const forms: Readonly<Partial<Record<ValueType, readonly Form[]>>> = {
  measure: [
    { question: /\b(?:loud|noisy|noise)\b/i, answer: ofUnit('dB(?:\\(A\\))?|decibels?') },
    {
      question: /\b(?:heavy|weigh|weight)\b/i,
      answer: ofUnit('kg|kilos?|kilograms?|g|grams?|mg|lbs?|pounds?|stones?|oz|ounces?|tons?|tonnes?|t'),
    },
    { question: /\bhow bright\b/i, answer: ofUnit('lm|lumens?|lux|cd|candelas?|nits?|W|watts?') },
    { question: /\b(?:hot|warm|cold|temperature)\b/i, answer: ofUnit('degrees?|°|[CF]') },
    {
      question: /\b(?:fast|speed)\b/i,
      answer: ofUnit(
        'km\\/h|kmh|mph|m\\/s|knots?|Hz|rpm|[kMG]B(?:\\/s|ps)?|[kMG]bit(?:\\/s)?|(?:times|requests|pages) (?:an?|per) \\w+',
      ),
    },
    {
      question: /\bhow (?:big|large|high)\b.* (?:reserves?|budget|fund|loan|loss|profit|debt|grant|turnover)\b/i,
      answer: new RegExp(price, 'giu'),
    },
    {
      question:
        /\bhow (?:big|large|tall|high|deep|wide|broad|thick|far)\b|\b(?:height|length|width|depth|distance|area)\b/i,
      answer: new RegExp(
        String.raw`(?<![\p{L}\d])${amountOf}(?:${lengths}|[kMGT]i?B|litres?|liters?|l|%|minutes?|hours?|people|places|employees|members|participants|rooms|steps|storeys?)(?!\p{L})|\d ?[×x] ?\d|\bA[0-6]\b`,
        'giu',
      ),
    },
    { question: /\b(?:voltage)\b/i, answer: ofUnit('k?V|volts?') },
    { question: /\b(?:pressure)\b/i, answer: ofUnit('bar|psi|[hk]?Pa') },
  ],
  money: [
    {
      question:
        /\b(?:discount|reductions?|cheaper|interest|commission|penalty|fine|bonus|tip|deposit|tax|vat|raised?|less|extra|by how much|increased?|go(?:es)? up|put(?:ting)? up|put .{1,40} up)\b/i,
      answer: new RegExp(String.raw`${price}|\d\s?(?:%|per cent)`, 'giu'),
    },
    {
      question:
        /\b(?:how much(?! (?:weight|time|space|water))|costs?|prices?|fees?|fares?|rent|salary|wages?|budget|donate)\b/i,
      answer: new RegExp(price, 'giu'),
    },
  ],
  clock: [
    {
      question: /(?<!\bwithin )\b(?:what|which) time\b/i,
      answer: new RegExp(
        String.raw`\b\d{1,2}[:.]\d{2}\b|\b\d{1,2} ?(?:[ap]\.?m\b|o'clock|h\b)|\b(?:noon|midnight|midday|daily|mornings?|afternoons?|evenings?|sunrise|sunset|dusk|dawn)\b|\b(?:from|until|till|at|between|before|after|to|by|past) (?:\d{1,2}|six|seven|eight|nine|ten|eleven|twelve|one|two|three|four|five)(?! ?(?:\p{L}*%|[€£$]|(?:${timeUnits})\b))\b|\b(?:open 24 hours|round the clock|at any (?:time|hour))\b`,
        'giu',
      ),
    },
  ],
  contact: [
    { question: /\be-?mail\b/i, answer: /[\w.+-]+@[\w-]+\.\w+/giu },
    {
      question: /\b(?:website|web address|url)\b/i,
      answer: /https?:\/\/|\bwww\.|\b[\w-]+\.(?:com|org|net|example|io|co|uk|de)\b/giu,
    },
    {
      question: /\b(?:phone|telephone|mobile|cell) numbers?\b/i,
      answer:
        /\+?(?<!\p{L}[-/])\b\d(?:[ /()-]{0,2}\d){5,}|(?<=\b(?:call|ring|dial|phone|tel\.?|telephone|mobile|extension|ext\.?):? )\d{3,5}\b/giu,
    },
    {
      question: /\bnumber\b/i,
      answer:
        /\+?(?<!\p{L}[-/]|\d-)\b(?!\d{4}-\d{2}-\d{2})\d[\d /()-]{4,}\d|(?<!\p{L}[-/])\b\d{3,5}\b(?![.,]\d|-\d{2}-\d{2}|\s?(?:[€%]|EUR))/giu,
    },
    {
      question: /\b(?:call|ring|contact|reach|phone)\b/i,
      answer:
        /\+?\b\d[\d /()-]{5,}\d|(?<=\b(?:call|ring|dial|phone|tel\.?) )\d{3,5}\b|(?<=\b(?:extension|ext\.?) )\d{2,5}\b|[\w.+-]+@[\w-]+\.\w+|https?:\/\/|\bwww\.|\b(?:hotline|helpline|reception|by (?:phone|e-?mail|post|letter)|e-?mail|call|ring|write to|caretaker|office|neighbour)\b/giu,
    },
  ],
  place: [
    {
      question: /(?:^|[.,;!?] )\W*(?:and |so |from |to )?where\b/i,
      answer: new RegExp(
        [
          String.raw`(?<!\p{L})(?:in|at|on|near|from|to|through|via|under|behind|beside|above|below|next to|opposite|outside|inside|into|onto|between|along|by|with) [\p{L}\p{N}]+`,
          String.raw`(?<!\p{L})(?:until|after|past) (?:the|an?|our|your) \p{L}+`,
          String.raw`(?<!\p{L})(?:upstairs|downstairs|opposite|nearby|next door|here|there|abroad|online|home|everywhere|anywhere|nowhere|left|right|north|south|east|west)(?!\p{L})`,
          String.raw`(?<!\p{L})(?:point|place|venue|location|address|entrance) (?:is|are) `,
          String.raw`(?<=[,|:·–—] )\p{Lu}\p{Ll}+|[/\\@›>]|www\.`,
        ].join('|'),
        'gu',
      ),
    },
  ],
  person: [
    // "Who was excluded?": a group of people, which need not be named.
    {
      question: /^\W*(?:and |so )?who (?:is|are|was|were) (?:not )?\p{L}+(?:ed|en)\W*$/iu,
      answer: new RegExp(`${named.source}|${people}`, 'gu'),
      isOptional: true,
    },
    {
      question: /^\W*(?:and |so )?who(?:'s|’s| is| was| are| were) (?:the|our|your|my|his|her|its|their)\b/i,
      answer: named,
    },
    { question: /\bwho(?:m|se|'s)?\b/i, answer: new RegExp(`${named.source}|${people}`, 'gu') },
  ],
  day: [
    { question: /\b(?:what|which) (?:date|day|year|month)s?\b/i, answer: new RegExp(date, 'giu') },
    { question: /\bwhen (?:was|were|did)\b/i, answer: new RegExp(`${date}|${time}`, 'giu') },
    { question: /\bwhen\b/i, answer: new RegExp(`${date}|${moment}`, 'giu') },
  ],
  age: [
    {
      question: /\bhow old (?:is|are|was|were)\b/i,
      answer:
        /\b1\d{3}\b|\b20\d{2}\b|\b(?:aged?|turn(?:s|ed)?) \w+|\w+[ -](?:years?|months?|weeks?|days?)[ -](?:old|ago|of age)\b|\b(?:for|over|than|nearly|almost|about|exactly) (?:[a-z]+ ){0,2}\d+ years?\b|\b\d+ years of\b|\bold\b|\bborn\b|\bcentur(?:y|ies)\b|[:|] ?\d{1,3}(?: years?)?(?=$|[ .,|])/giu,
    },
    {
      question: /^/,
      answer:
        /\b(?:aged?|over|under|above|below|from|at least|until|turn(?:s|ed)?|before|after) (?:the age of )?(?:\d{1,2}|\p{L}+teen|ten|twelve|twenty|eight|nine|seven|six|five|four|three|two)\b|\b\d{1,2} (?:or|and|years?|months?|to)\b|\b\w+[ -](?:years?|months?)(?:[ -]old)?\b|\bbirthday\b|\b\d{1,2}[–-]\d{1,2}\b/giu,
    },
  ],
};

/** Of questions that ask for no type of value. */
export const untyped: readonly Form[] = [
  {
    question: /\b(?:which|what) version\b/i,
    answer:
      /\bv?\d+(?:\.[\dx]+)+|\bversion \d|\b\d+ (?:or|and) (?:newer|later|higher|above)|\p{Lu}[\p{L}.+#]+ \d+\b/giu,
  },
  { question: /\b(?:which|what) (?:countr|nationalit)/i, answer: /(?<=[\p{L},|] )\p{Lu}\p{Ll}+/gu },
  {
    question: /^\W*what(?:'s|’s| is| are| was| were) .*\b(?:called\b|names?\b(?! (?:servers?|tags?|badges?)))/i,
    answer: new RegExp(`${named.source}|\\bcalled\\b|["“„«\x60]`, 'gu'),
  },
  { question: /\b(?:what|which) colou?rs?\b/i, answer: new RegExp(String.raw`\b(?:${colours})\b`, 'giu') },
  {
    question:
      /^\W*(?:and |so |by |in |from |at )?(?:what|which) (?:\p{L}+ )?(?:company|firm|brand|manufacturer|provider|supplier|bank|hotel|restaurant|pub|newspaper|film|movie|book|album|band|song|artist|author|browser|airline|university|college|insurer|agency|architect)\b/iu,
    // Names of software are written as code, titles within quotation marks.
    answer: new RegExp(String.raw`${named.source}|\x60|["“„«]`, 'gu'),
  },
];

/** "Wie hoch ist der Turm?" asks for no price. */
const germanPrice =
  /kosten|beitr[aä]g|gebühr|preis|miete|steuer|beteiligung|rechnung|summe|betrag|lohn|gehalt|rabatt|zuschuss|kaution|schaden/iu;
/** "185 €", "12,50", "25 Prozent", "kostenlos", "la moitié"; in a table often a number alone. */
const foreignPrice = [
  String.raw`(?<!\p{L})(?:euros?|eur|fr\.|franken|chf|francs?|(?:us-)?dollars?|d[oó]lar(?:es)?|usd|pfund|libras?|livres? sterling|pesos?|soles|reais|kronen|gbp|cents?)(?!\p{L})`,
  String.raw`[$£€¥]|\d\s?(?:%|euros?|eur|fr\.|franken|chf|francs?|pesos?|kr|kronen|zł|prozent|pour ?cent|por ?ciento)(?!\p{L})|\d[.,]\d\d(?!\d)`,
  String.raw`(?<!\p{L})(?:kostenlos|kostenfrei|umsonst|gratis|frei|gratuit\p{L}*|hälfte|halbe?r? preis|moitié|mitad|keine?|nichts|sans frais|cents?)(?!\p{L})`,
].join('|');

/** Of questions in other languages: for a price. */
export const foreignMoney: readonly Form[] = [
  {
    question: new RegExp(String.raw`^(?!.*(?<!\p{L})wie (?:hoch|groß))|${germanPrice.source}`, 'iu'),
    answer: new RegExp(foreignPrice, 'giu'),
  },
];
/** And for anything else. */
export const foreign: readonly Form[] = [
  {
    question:
      /(?<!\p{L})(?:(?:Telefon|Handy|Ruf|Mobil)nummer|numéro de téléphone|(?:número|numero) (?:de|di|do) tel[eé]fon[oe]|telefoonnummer)(?!\p{L})/iu,
    answer: /\+?(?<!\p{L}[-/])\b\d(?:[ /()-]{0,2}\d){5,}/giu,
  },
  // "Valid for one hour" is no time of the day.
  {
    question: new RegExp(String.raw`(?<!\p{L})(?:${hourQuestion})(?!\p{L})`, 'iu'),
    answer:
      /\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?(?:h\d{0,2}|[ap]\.?m|Uhr|uur)(?!\p{L})|(?<!(?<!\p{L})(?:pendant|durante|per|en|in) )\b\d{1,2} (?:heures?|horas?)(?!\p{L})|(?<!\p{L})(?:Mittag|Mitternacht|midi|minuit|mediodía|medianoche|mezzogiorno|mezzanotte|middag|middernacht|meio-dia|meia-noite)(?!\p{L})|(?<!\p{L})(?:a las|alle|às|om) \p{L}+|(?<!\p{L})(?:cerrad[oa]s?|fermée?s?|geschlossen|chius[oaie]|gesloten|fechad[oa]s?)(?!\p{L})/giu,
    isOptional: true,
  },
];
