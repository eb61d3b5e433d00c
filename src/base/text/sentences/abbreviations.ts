/** Words whose full stop ends no sentence, in several languages. */
import { monthAbbreviations } from '../dates/months.ts';

/** At the end of a text, without the full stop: "Dr", "z. B", "U.S", "Sept". */
export const abbreviation = new RegExp(
  String.raw`(?:^|[\s("'“‘[])(?:Mr|Mrs|Ms|Dr|Prof|Rev|Fr|St|Sr|Jr|Gen|Col|Capt|Lt|Sgt|Maj|Gov|Sen|Rep|Hon|Pres|Mt|Ft|No|Nos|Vol|vol|pp?|Fig|fig|Figs|Eq|Sec|Ch|ch|vs?|cf|ca?|e\.g|i\.e|etc|al|approx|Inc|Ltd|Co|Corp|Bros|Op|Ph\.D|[BM]\.Sc|Ave|Blvd|Rd|max|min|incl|excl|resp|tel|Tel|ext|dept|bzw|evtl|ggf|inkl|exkl|zzgl|bspw|sog|vgl|geb|Hr|Hrn|(?:Dipl\.-)?Ing|Mio|Mrd|Tsd|Nr|Str|Abs|e|z|u|i|o|z\.\s?B|u\.\s?[aU]|i\.\s?d\.\s?R|Mme|Mlle|Sra?|Ud|Uds|ej|p\.\s?ex|env|núm|pág|nº|[Dd]ott|[Dd]ott\.ssa|[Ss]ig|[Ss]igg|bijv|o\.a|mr|dhr|mevr|${monthAbbreviations.join('|')}|r|b|d|fl|lit|trans|ed|eds|est|[A-Z]|(?:[A-Za-z]\.)+[A-Za-z])$`,
);

/** What ends no sentence before a figure: "no. 9", "apt. 4", "art. 12"; "no. 9 of them came" is seldom meant otherwise. */
export const beforeNumber = /(?<![\p{L}.])(?:no|nos|apt|art|arts|ref|refs|para|paras|sect|cap|cl|n)$/u;

/** Abbreviations that may also be the last word of a sentence: "in the U.S.", "Acme Inc.", "World War I". */
export const maybeLast = /(?:\.[A-Z]|etc|Inc|Ltd|Corp|\p{L}{2} I)$/u;

/**
 * Abbreviations that end a sentence if the capital after them begins neither a day or month nor a time zone: "at 4 p.m.",
 * "until the lamps are lit."
 */
export const lastBeforeCapital = /(?<!\p{L})(?:[ap]\.\s?m|lit)$/u;
