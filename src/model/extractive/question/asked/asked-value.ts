/**
 * What a question asks for, more finely than its kind and in seven languages: money, a time of day, how to reach someone. The
 * patterns for what that looks like are for documents of every day, in which prices are without a currency in a table and
 * times without a date: more lenient than those of answer-type.ts, with which the general weights were trained.
 */
import { foreignMonths, germanMonths, monthAbbreviations, months } from '../../../../base/text/dates/months.ts';
import { chineseTypeOf, countChineseValues, isChinese } from './chinese.ts';
import { countedArticles, isArticle } from './counted-articles.ts';

const valueTypes = [
  'percent',
  'money',
  'contact',
  'clock',
  'duration',
  'frequency',
  'measure',
  'age',
  'day',
  'count',
  'person',
  'place',
  'reason',
  'permission',
] as const;
export type ValueType = (typeof valueTypes)[number];

/** Types whose values are not recognised as surely as those of the others, which all look alike. */
const vague: ReadonlySet<ValueType> = new Set<ValueType>(['person', 'place', 'reason', 'permission']);
/** The other types. */
export const preciseTypes: ReadonlySet<ValueType> = new Set(valueTypes.filter((type) => !vague.has(type)));

interface ValuePatterns {
  readonly question: RegExp;
  /** Global. */
  readonly answer: RegExp;
}

/** Characters of a prompt that are read. */
const maxAnalysed = 1_000;

const numberWord =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|half|dozen|ein(?:e[nmrs]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|vierzehn|fünfzehn|zwanzig|dreißig|une?|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|quinze|vingt|trente|una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|quince|veinte|treinta|uno|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|dodici|quindici|venti|een|twee|drie|vijf|zes|zeven|negen|tien|twaalf|veertien|vijftien|twintig|dois|duas|três|quatro|sete|oito|dez|doze|vinte';
const number = String.raw`(?:\d[\d.,]*|(?:${numberWord})(?!\p{L}))`;
const timeUnit =
  'seconds?|secs?|minutes?|mins?|min|hours?|hrs?|h|days?|nights?|weeks?|months?|years?|seasons?|cycles|Sekunden?|Minuten?|Stunden?|Tagen?|Tage?|Wochen?|Monaten?|Monate?|Jahren?|Jahre?|secondes?|heures?|jours?|semaines?|mois|ans?|années?|segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|años?|secondi|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|seconden|minuten|uur|uren|dag(?:en)?|we(?:ek|ken)|maand(?:en)?|jaar|jaren|dias?|meses|anos?';
/** A day named by its place in a month: "by the third working day". */
const workingDay =
  'working day|Werktag(?:e[ns]?|s)?|Arbeitstag(?:e[ns]?|s)?|jour ouvr(?:é|able)|día hábil|giorno lavorativo|werkdag|dia útil';
/** What asks for a time of the day, in languages that do so by the word for an hour or for late. */
export const hourQuestion = 'à quelle heure|a qué hora|a che ora|a que horas|um wie ?viel uhr|hoe laat';
const weekday =
  'Mon(?:day)?s?|Tue(?:s(?:day)?)?s?|Wed(?:nesday)?s?|Thu(?:rs(?:day)?)?s?|Fri(?:day)?s?|Sat(?:urday)?s?|Sun(?:day)?s?|(?:Mon|Diens|Donners|Frei|Sams|Sonn)tags?|Mittwochs?|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs|(?:lun|mar|mercre|jeu|vendre|same)dis?|dimanches?|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|luned[iì]|marted[iì]|mercoled[iì]|gioved[iì]|venerd[iì]|sabato|domenica|(?:maan|dins|woens|donder|vrij|zater|zon)dags?|segunda|terça|quarta|quinta|sexta';
/** What has a number for a name: "Year 2", "Zimmer 4"; but "Each year 30 children come". */
const numbered =
  '(?<!(?<!\\p{L})(?:an?|per|each|every|this|last|next|that|one|pro|jede[nrsm]?|par|chaque|por|cada|ogni|per|elke?) )(?:year|class|grade|level|floor|zone|gate|table|terminal|platform|Raum|Zimmer|Artikel|Klasse|Linie|Gleis|salle|chambre|classe|ligne|artículo|sala|aula|clase|línea|stanza|camera|linea|kamer|zaal|klas|lijn)';
const month = [...months, ...monthAbbreviations, ...germanMonths, ...foreignMonths.flat()].join('|');

/** "Combien les parents doivent-ils payer", "¿Cuánto pagan los niños", "Was hat die Reparatur gekostet"; "combien de" is a number. */
const priceInOtherLanguages = [
  String.raw`was (?:kostet|kosten)(?!\p{L})|(?:was|wie ?viel) ha(?:t|ben) .{1,60} gekostet|wie ?viel (?:geld|kostet|kosten|zahle|verdien|muss ich (?:be)?zahlen|bezahle|ist)|wie (?:teuer|hoch)`,
  String.raw`combien (?:d['’]argent|ça|pour|gagne|(?:dois-je|devons-nous|doit-on|reste-t-il|me reste|il (?:me )?reste|ai-je).{0,30} (?:payer|payé)|(?!de |d['’]|y a).{0,50}(?<!\p{L})(?:payer|pai(?:e[sz]?|ent|era\p{L}*)|coût\p{L}+|vaut|valent)(?!\p{L}))|quel (?:est le )?(?:prix|tarif|montant)`,
  String.raw`cuánto (?:dinero|hay que pagar|se paga|(?:\p{L}+ )?(?:cuest|cost|val[eí]|pag|cobra|gana)\p{L}*)`,
].join('|');

/** In order of precedence: the first whose question pattern matches. */
const patterns: Readonly<Record<ValueType, ValuePatterns>> = {
  percent: {
    question:
      /(?<!\p{L})(?:percent(?:age)?|per cent|(?:what|which|welcher) (?:proportion|share|fraction|anteil)|prozent|pour ?cent|por ?ciento)\b|%/iu,
    answer: /\d\s?%|\b(?:per ?cent|half|quarters?|thirds?|Prozent|Hälfte|moitié|mitad|metà|helft|metade)(?!\p{L})/giu,
  },
  money: {
    question: new RegExp(
      String.raw`(?<!\p{L})(?:${priceInOtherLanguages}|how much (?:money|(?:do(?:es)?|did|is|are|was|were|will|would|for|per|more|extra|to|must|should|can)\b(?!.{0,60}\b(?:weigh|hold|carry|lift|contain|fit|store|consume|tow|pull|absorb|rain|snow|grow|shrink|feed|water|eat|drink|sleep|need|bring|add|mix|pour|walk|exercise)\b))|(?:what(?! (?:happen|becom|do i|should|can i|kind|sort|type|else))|how much|which(?! (?:day|date|month|year|week|time|account|budget|of))|how (?:high|large|big))\b(?<!\b(?:on|in|at|by|until|from|since) \w+).*\b(?:costs?|prices?|paid|pay|salary|wages?|fees?|fares?|rent|deposit|budget|fine|bonus|charges?|discount|reduction|penalty|donation|grant)\b|quanto (?:costa|costano|si paga|devo pagare|custa|pago)|hoeveel (?:kost|kosten|betaal)|wat kost)`,
      'iu',
    ),
    answer:
      /[$£€¥]\s?\d|\d[\d.,]*\s?(?:[$£€¥]|kr\b|euros?\b|EUR\b|dollars?\b|pounds?\b|pence\b|cents?\b|CHF\b|Fr\.|Franken\b|francs?\b|million\b|billion\b|%|per cent)|\b\d+[.,]\d{2}\b(?!\.?\d| ?(?:[mck]?m[²³]?|k?g|[mc]?l|ha|k?Wh?|Uhr|h)(?!\p{L}))|\b\d+ (?:an?|per|a) \w+|\bcosts? \d|\b(?:free|half price|no charge|nothing|kostenlos|kostenfrei|umsonst|gratis|gratuite?s?|gratuit[oi]s?|quarter is taken)(?!\p{L})/giu,
  },
  contact: {
    question:
      /(?<!\p{L})(?:(?:phone|telephone|mobile|emergency|contact) number|what(?:'s|’s| is| are) (?:his|her|their|your|our|my|(?:(?:the|our|my) )?\p{L}+['’]s) numbers?|(?:what|which) number|what(?:'s|’s| is) the number (?:of|for) (?:(?:the|my|our|your|an?) (?!bus|tram|train|line|room|house|flat|seat|page|order|invoice|parcel|account|locker|rack|plot|platform|gate)\p{L}+(?<!s)(?= *[?.]| (?:in|at|of)\b|$)|\p{Lu})|(?:what|which)(?:'s|’s| is) .{0,60}\be-?mail\b|(?:e-?mail|web) address|(?:whom?|how) (?:do|can|should|must) (?:i|we|you|one) (?:call|ring|contact|reach|phone|e-?mail)|who to (?:call|contact)|(?:welche|unter welcher) (?:nummer|telefonnummer)|quel (?:est le )?numéro|qué número|(?:che|quale) numero|welk nummer|que número)/iu,
    answer:
      /\+?\b\d[\d /()-]{5,}\d|\b\d{4}\b|\bhotline\b|[\w.+-]+@[\w-]+\.\w+|https?:\/\/|\bwww\.|\b(?:call|ring|telephone|phone|write to)\b/giu,
  },
  clock: {
    question: new RegExp(
      String.raw`(?<!\p{L})(?:(?:at |by |until |till |from )?(?:what|which) time|(?:what|when) are the (?:opening )?hours|opening hours|until when|till when|from when|(?:when|what time) (?:do|does|is|are|can|may|will|must) .{0,60}\b(?:open|close|shut|start|begin|end|leave|depart|arrive|check|serve[ds]?|quiet|sail|over)\b|how (?:late|early)|bis wann|ab wann|wann (?:öffnet|schließt|beginnt|endet|fährt|kommt|(?:hat|haben|habt|ist|sind|seid) .{0,40}(?:offen|geöffnet|auf))|jusqu'à quand|(?:quand|quels sont les) .{0,30}(?:ouv|ferm|horaires)|hasta cuándo|fino a quando|tot wanneer|tot hoe laat|até quando|${hourQuestion})`,
      'iu',
    ),
    answer: new RegExp(
      String.raw`\b\d{1,2}(?:st|nd|rd|th)\b|(?<![$£€¥] ?)\b\d{1,2}[:.]\d\d\b(?! ?[$£€¥](?! ?\d))|\b\d{1,2} ?(?:a\.?m|p\.?m|Uhr|heures?|h|uur|horas?|o'clock)(?!\p{L})|\b(?:noon|midnight|midday|Mittag|Mitternacht|midi|minuit|mediodía|medianoche|mezzogiorno)(?!\p{L})|\b(?:from|until|till|at|between|before|after|to|by|over by) (?:\d{1,2}|six|seven|eight|nine|ten|eleven|twelve|one|two|three|four|five)\b(?![.,]\d| ?(?:[$£€¥%°]|(?:${timeUnit}|km|kg|people|persons)(?!\p{L})))|\b(?:${month})(?!\p{L})|\b(?:${weekday})(?!\p{L})|(?<![\p{L}\d]|(?<!\p{L})(?:up to|every|per|takes?|lasts?|bis zu|jusqu'à|pendant|durante) )${number}[ -](?:working )?(?:${timeUnit})(?!\p{L})|(?<!\p{L})(?:${workingDay})(?!\p{L})|(?<!\p{L})(?:closed|geschlossen|fermée?s?|cerrad[oa]s?|chius[oa]|gesloten|fechad[oa]s?)(?!\p{L})(?<=(?<!\p{L})(?:${weekday})(?!\p{L})[^.!?\n]{0,41})`,
      'giu',
    ),
  },
  duration: {
    question:
      /(?<!\p{L})(?:how (?:long|soon|quickly|far in advance|far ahead)\b|how fast (?:do|does|did|will|can|is|are) .{0,60}\b(?:get|arrive|delivered?|reach|answer(?:ed)?|repl(?:y|ied)|respond|come|sent|ship(?:ped)?|processed|ready|done)\b|how (?:many|much) (?:(?:\p{L}+ )?(?:holidays?|leave|time off|vacation)|time|years|months|weeks|days|nights|hours|minutes|seconds)\b|for what period|what (?:is the )?(?:duration|notice period|period)|wie lange?|wie ?viele? (?:zeit|tage|stunden|minuten|wochen|monate|jahre)|combien (?:de |d['’])(?:temps|jours|mois|semaines|heures|minutes|années|ans)(?!\p{L})|pendant combien|cuánto (?:tiempo|dura|(?:se )?tarda)|cuánt[oa]s (?:días|meses|años|minutos|horas|semanas)|con cuánt[oa] (?:antelación|anticipación|tiempo)|quanto (?:tempo|dura)|con quanto anticipo|quant[ie] (?:giorni|mesi|anni|minuti|ore|settimane)|hoe lang|hoeveel (?:tijd|dagen|weken|uur|uren|maanden|jaar|minuten)|quant[oa]s (?:dias|meses|anos|horas|semanas|minutos)|com quanta antecedência)/iu,
    answer: new RegExp(
      String.raw`(?<!\p{L})(?:${number}|(?:about|takes?|than|within|lasts?|for|after|is|nearly|almost|another|in) (?:about |around |roughly )?an?)(?:[ -](?:and a half|or \S+|to \S+|further|working|full|business|calendar))?[ -]?(?:${timeUnit}|km|m|cm|met(?:er|re)s?|kilomet(?:er|re)s?|miles?|pages?|characters?|bytes?|bits?)(?!\p{L})|(?<![\p{L}\d.])\d+(?:ms|[smhdwy])(?![\p{L}\d])|\b(?:until|since|till) `,
      'giu',
    ),
  },
  frequency: {
    question:
      /\bhow (?:often|frequently|regularly)|how many times|wie oft|wie häufig|(?:combien de fois|à quelle fréquence)|(?:con qué frecuencia|cuántas veces)|(?:quante volte|ogni quanto)|hoe vaak|quantas vezes/iu,
    answer: new RegExp(
      String.raw`(?<!\p{L})${number}[ -]times(?!\p{L})|\b(?:dai?ly|hourly|weekly|monthly|yearly|annual(?:ly)?|twice|once|every|each|(?:per|an?) (?:hour|day|week|month|year)|times|always|never|mornings?|evenings?|nightly|täglich|wöchentlich|monatlich|jährlich|jede[nrsm]?|alle|einmal|zweimal|chaque|tous|toutes|fois|cada|todos|vez|veces|ogni|volt[ae]|elke?|iedere?|keer|vezes)(?!\p{L})`,
      'giu',
    ),
  },
  measure: {
    question:
      /\bhow many (?:watts?|volts?|amps?|lit(?:re|er)s|millilit(?:re|er)s|ml|kilos|kilograms|kg|grams|kilomet(?:re|er)s|km|met(?:re|er)s|centimet(?:re|er)s|cm|miles|feet|inches|degrees|decibels|lumens|bar|square \p{L}+)\b|\bhow (?:tall|high|deep|wide|broad|big|large|heavy|fast|thick|hot|warm|cold|loud|bright|far|small|strong|much (?:(?:\p{L}+ )?(?:water|space|memory|luggage|weight)|(?:do(?:es)?|did|can|will|may|should|would) .{0,60}\b(?:weigh|hold|carry|lift|contain|fit|store|consume|tow|pull|absorb|grow|shrink)))\b|\bwie ?viel(?! (?:uhr|zeit|geld|leute|personen)(?!\p{L}))\b|\b(?:wie ?viel wiegt|combien pèse|cuánto pesa|quanto pesa|hoeveel weegt)\b|\b(?:height|length|width|depth|distance|area|weight|size|speed|temperature|diameter|range|capacity|volume|resolution|pressure|voltage|load|amount|dose|power)\b|\bwie (?:groß|hoch|breit|tief|schwer|weit|warm|schnell|laut)\b|\b(?:poids|taille|hauteur|longueur|température|superficie|vitesse)\b|\b(?:peso|altura|tamaño|temperatura|superficie|profundidad)\b|\bhoe (?:groot|hoog|breed|diep|zwaar|ver|warm|snel)\b/iu,
    answer: new RegExp(
      String.raw`(?<!\p{L})${number}[ -]?(?:(?:square|cubic|million)\s)?(?:km²?|kilomet(?:er|re)s?|m²?|met(?:er|re)s?|met(?:ros|ri)|cm|mm|miles?|feet|foot|ft|inch(?:es)?|acres?|hectares?|ha|kg|kilos?|kilograms?|g|mg|µ[gl]|grams?|pounds?|lb|tons?|tonnes?|litres?|liters?|ml|l|°|degrees?|Grad|degrés?|grados|gradi|graden|mph|km\/h|m\/s|[kMG]?W|[kmg]b|[KMGT]i?B|Hz|dB|lux|lumens?|bar|V|A|Wh|Nm|dpi|pixels?|entries|items)(?!\p{L})|°C`,
      'gu',
    ),
  },
  age: {
    question:
      /(?<!\p{L})(?:how old|what age|(?:minimum|maximum|which) age|ab welchem alter|wie alt|quel âge|qué edad|che età|quanti anni|welke leeftijd|hoe oud|que idade)\b/iu,
    answer: /\b(?:aged?|under|over|years?|old|ab|Jahren?|ans|años|anni|jaar|anos)\b|\b\d{1,2}\b/giu,
  },
  day: {
    question:
      /^(?:\W*(?:and|by|since|until|from|so|but) )?when\b|\bwhen (?:is|are|was|were|do|does|did|can|could|may|must|should|will|would|has|have|had|am)\b|(?<!\p{L})(?:(?:what|which) (?:date|day|days|month|months|year|weekday|season)|by when|since when|wann|welche[mnrs]? (?:tag|datum|monat|jahr)s?|quand|quel(?:le)? (?:jour|date|mois|année)|cuándo|qué (?:día|fecha|mes|año)|quando|(?:che|quale) (?:giorno|data|mese|anno)|wanneer|welke (?:dag|datum|maand)|welk jaar|em que (?:dia|data|mês|ano))/iu,
    answer: new RegExp(
      String.raw`\b(?:1\d{3}|20\d{2})\b|\b(?:${month})(?!\p{L})|\b(?:${weekday})(?!\p{L})|\b\d{1,2}(?:st|nd|rd|th)\b|\b\d{1,2}\.\d{1,2}\.|\b(?:spring|summer|autumn|winter|daily|weekends?|holidays|midsummer|Christmas|Easter)\b|\b\d{1,2}[:.]\d\d\b|(?<!\p{L})${number}[ -](?:working )?(?:${timeUnit})(?!\p{L})`,
      'giu',
    ),
  },
  count: {
    question:
      /\bhow many\b|\b(?:what|which) (?:is the )?(?:(?:(?:total|max(?:imum)?|min(?:imum)?|average|exact|current|overall|approximate|highest|lowest|largest|smallest|usual|final|typical|greatest|permitted|allowed) )?number of|(?:\w+ )?(?:amount|population|score|rating))\b|\bwie ?viele?\b|\bcombien\b|\bcuánt[oa]s?\b|\bquant[ieoa]s?\b|\bhoeveel\b/iu,
    // Not "40 minutes" or "£12": what is counted has no unit. Nor "7 May", "room 12" or "Year 2".
    answer: new RegExp(
      String.raw`(?<![\p{L}\d$£€¥.:]|[$£€¥] |\b(?:[Nn]o\.?|number|room|bus|tram|line|lot|page|version|chapter|section|article|hall|plot|${numbered}) )${number}(?![\p{L}\d%:]|\.? (?:${month})(?!\p{L})| ?(?:${timeUnit}|kr|euros?|pounds|dollars|[$£€¥%°]|k?m²?|cm|mm|[km]?g|[mc]?l|ml|k?W|[ap]\.?m\.?|Uhr|uur)(?!\p{L})|[.,]\d)`,
      'giu',
    ),
  },
  person: {
    question:
      /(?<!\p{L})(?:who|whom|whose|by whom|to whom|wer|wem|wen|wessen|qui|quién(?:es)?|chi|wie is|wie zijn|quem)\b(?! (?:est-ce que|l'on))/iu,
    // Months and weekdays have capitals as well.
    answer: new RegExp(
      String.raw`(?!(?:${month}|${weekday})(?!\p{L}))(?:^\p{Lu}[\p{Ll}'’-]+ (?=(?:voted|spoke|said|wrote|asked|presented|reported|will|has|is|was)\b)|(?<=[\p{L}\p{N},;:)|] (?:the )?)\p{Lu}[\p{Ll}'’-]+|\p{Lu}[\p{Ll}'’-]+(?: (?:de|van|von|der|di|da))? \p{Lu}[\p{L}'’-]+)|\b(?:manager|director|office|team|owner|staff|department|secretary|treasurer|chair\w*|officer|head|tenant|members?|residents?|people|Herr|Frau|M\.|Mme|Sr\.|Sra\.)(?!\p{L})`,
      'gu',
    ),
  },
  place: {
    question:
      /(?<!\p{L})(?:where|(?:what|which) (?:place|location|room|street|building|floor|address|town|city|country|station|website)|wohin|woher|wo|où|dónde|adónde|dove|waar|onde)(?!\p{L})/iu,
    answer:
      /\b(?:in|at|on|near|from|to|under|behind|beside|next to|opposite|outside|inside|into|between|im|am|an der|beim|auf|unter|neben|hinter|dans|chez|au|à la|sur|sous|près de|en el|en la|junto a|nel|nella|presso|bij|naast|op|no|na|em) (?:(?:the|der|dem|den|die|das|la|le|el|il|het|de|a|an|our|your|each) )?[\p{L}\p{N}]{2,}/gu,
  },
  reason: {
    question:
      /(?<!\p{L})(?:why|for what reason|what (?:is|was|were) the reasons?|how come|warum|wieso|weshalb|pourquoi|por qué|perché|waarom|por que)(?!\p{L})/iu,
    answer:
      /\b(?:because|since|so that|so as|as|due to|in order to|therefore|otherwise|to (?:avoid|prevent|make|keep|protect|save|reduce)|for|reason|weil|denn|da|damit|sonst|deshalb|parce que|car|puisque|afin|pour que|porque|ya que|para que|perché|poiché|omdat|want|zodat|pois)(?!\p{L})|:(?=\s)/giu,
  },
  permission: {
    question:
      /^\W*(?:so )?(?:may|can|could|am|is|are|do|does|did|will|must|should|shall|has|have|was|were|darf|dürfen|kann|können|muss|müssen|ist|sind|gibt|hat|peut-on|puis-je|est-ce|faut-il|dois-je|y a-t-il|se puede|puedo|hay|es|debo|posso|si può|c'è|è|devo|mag|kan|moet|zijn|heeft|há|pode|preciso|tem)\b/iu,
    answer:
      /\b(?:may|can|must|cannot|can't|not|only|never|nobody|no|allowed|permitted|forbidden|prohibited|required|need(?:s|ed)?|free|possible|available|welcome|compulsory|mandatory|obligatory|optional|voluntary|banned|unless|except|if|with(?:out)?|darf|dürfen|kann|können|muss|müssen|nicht|nur|keine?[nrs]?|erlaubt|verboten|gestattet|möglich|peut|peuvent|pouvez|ne|pas|interdite?s?|autorisée?s?|permis|obligatoire|sauf|puede|pueden|no|prohibid[oa]s?|permitid[oa]s?|obligatori[oa]|può|possono|non|vietat[oa]|consentit[oa]|mag|mogen|niet|geen|verboden|toegestaan|pode|podem|não|proibid[oa])(?!\p{L})/giu,
  },
};

/** "How do I change the temperature?", "Who sets the speed?": a way, a person, a place or a reason is asked for, whatever it is of. */
const asksOtherwise = /^\W*(?:and |so |but )?(?:how (?:do|does|did|can|could|should|must|would|to)|who|where|why)\b/i;
/** Types that a question may name without asking for them. */
const named: ReadonlySet<ValueType> = new Set(['percent', 'measure']);

/**
 * The first sentence that is a question. A dot ends a sentence only before a blank, and not after a title, an initial or another
 * abbreviation: "When is Dr. Marsh coming?", "How much is a 1.5 l bottle?". No dot is matched by two alternatives: that would take
 * exponential time.
 */
const firstQuestion =
  /(?:[^.!?]|\.(?=\S)|(?<=(?<!\p{L})(?:Mr|Mrs|Ms|Dr|St|Prof|Rev|Hr|Fr|Mme|Sra?|Nos?|Nr|Str|Tel|bzw|ca|[ap]\.m|\p{Lu}))\.(?!\S))*\?/u;

/**
 * The type of value that a text asks for, by its words alone; undefined for "what", "which" and "how". Of several sentences, the
 * first question counts: others are its context.
 */
export function valueAskedBy(text: string): ValueType | undefined {
  const read = text.slice(0, maxAnalysed);
  const question = (read.includes('?') ? firstQuestion.exec(read)?.[0] : undefined) ?? read;
  if (isChinese(question)) return chineseTypeOf(question);
  const isOther = asksOtherwise.test(question);
  return valueTypes.find((type) => !(isOther && named.has(type)) && patterns[type].question.test(question));
}

const wholeNumber = new RegExp(`^${number}$`, 'iu');

/** Whether a word is a number, in digits or in letters. */
export function isNumber(word: string): boolean {
  return wholeNumber.test(word);
}

/** How many values of a type a text has that the question does not have itself. */
export function countValues(type: ValueType, text: string, question: string): number {
  if (isChinese(question)) return countChineseValues(type, text, question);
  const asked = question.toLowerCase();
  const countsOne = countedArticles(question);
  let count = 0;
  for (const match of text.matchAll(patterns[type].answer)) {
    const [found] = match;
    if (type === 'count' && isArticle(found) && !countsOne(text, match.index, found.length)) continue;
    if (!asked.includes(found.toLowerCase()) || type === 'permission') count += 1;
  }
  return count;
}
