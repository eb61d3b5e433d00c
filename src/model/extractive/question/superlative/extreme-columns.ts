/** Adjectives that ask for the most or the least, in seven languages, and the columns that each of them is about, by their names. */
import { isColumnOf } from '../asked/asked-column.ts';

/** Values of a column that a question may be about, by its name and what they are. */
export interface ExtremeColumn {
  readonly isNamed: (name: string) => boolean;
  /** Whether the greatest of its values is wanted. */
  readonly isMost: boolean;
  /** Whether its values are dates: a price per year is none. */
  readonly isOfDates: boolean;
}

const whole = (words: string) => {
  const pattern = new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu');
  return (name: string) => pattern.test(name);
};

const isBirth = whole(
  'born|birth|birth(?:day|date)|DOB|geboren|Geburts(?:tag|datum|jahr)|Jahrgang|née?|naissance|nacid[oa]|nacimiento|nat[oa]|nascita|nascimento',
);
const isAge = (name: string) => isColumnOf('age', name);
/** Columns by their names: when something was made, when it takes place, how many there are. */
export const isMaking = whole(
  'built|year|made|manufactured|bought|purchased|acquired|founded|published|opened|added|Baujahr|Jahr|gebaut|gekauft|Anschaffung|Erscheinungsjahr|construite?|année|achat|année de .*|construcción|año|compra|anno|bouwjaar|jaar|ano',
);
/** Whether a column, by its name, has the days on which members joined. */
export const isEntry = whole(
  'joined|since|entry|entered|member since|seit|Eintritt|Beitritt|Mitglied seit|depuis|adhésion|entrée|arrivée|desde|alta|ingreso|dal|iscrizione|sinds|lid sinds|entrada',
);
export const isDate = whole(
  'dates?|when|day|Datum|Tag|Termin|jour|fecha|día|data|dag|starts?|begins?|Beginn|Start|début|inicio|inizio|begin|início',
);
const isValue = whole('Wert|value|valeur|valor|valore|waarde');
const isPrice = (name: string) => isColumnOf('money', name) || isValue(name);
const isDeposit = whole('deposit|bond|Kaution|Pfand|caution|fianza|depósito|cauzione|borg|caução');
/** "Low season €": a price by its currency alone. */
export const isOfCurrency = (name: string) =>
  /[€£$¥]|(?<!\p{L})(?:EUR|GBP|USD|CHF)(?!\p{L})/u.test(name) && !isDeposit(name);
const isWeight = whole('weight|weighs?|Gewicht|poids|peso|gewicht|kg');
const isHeight = whole('height|Höhe|Größe|hauteur|taille|altura|altezza|hoogte|elevation|altitude');
const isDuration = whole(
  'duration|takes|time|lasts|Dauer|Zeit|durée|temps|duración|tiempo|durata|tempo|duur|tijd|duração',
);
const isLength = whole(
  'length|distance|Länge|Strecke|Entfernung|longueur|longitud|distancia|lunghezza|distanza|lengte|afstand|comprimento|distância|km',
);
const isSpeed = whole('speed|km/h|mph|Tempo|Geschwindigkeit|vitesse|velocidad|velocità|snelheid|velocidade');
const isSize = whole(
  'size|area|m²|sqm|capacity|amount|total|sum|Größe|Fläche|Betrag|Umfang|superficie|surface|taille|montant|tamaño|importe|importo|dimensione|oppervlakte|grootte|bedrag|tamanho|área',
);
export const isQuantity = whole(
  'stock|quantity|qty|number|count|Anzahl|Menge|Bestand|quantité|cantidad|existencias|quantità|aantal|quantidade',
);

const isDifficulty = whole(
  'difficulty|level|grade|Schwierigkeit(?:sgrad)?|Stufe|Niveau|Level|difficulté|niveau|dificultad|nivel|difficoltà|livello|moeilijkheid(?:sgraad)?|dificuldade|nível',
);

const ofDates: ReadonlySet<(name: string) => boolean> = new Set([isBirth, isMaking, isEntry, isDate]);
const columnsOf = (names: readonly ((name: string) => boolean)[], isMost: boolean): ExtremeColumn[] =>
  names.map((isNamed) => ({ isNamed, isMost, isOfDates: ofDates.has(isNamed) }));
/** Columns of which the greatest value is wanted. */
export const most = (...names: readonly ((name: string) => boolean)[]): ExtremeColumn[] => columnsOf(names, true);
/** Columns of which the least value is wanted. */
export const least = (...names: readonly ((name: string) => boolean)[]): ExtremeColumn[] => columnsOf(names, false);

/**
 * Adjectives with the columns that they are about: those with an ending of their own, "newest", and those that follow "plus" or
 * "más". Verbs may take their place: "costs the most".
 */
export const adjectives: readonly {
  readonly ending: string;
  readonly afterMore: string;
  readonly columns: readonly ExtremeColumn[];
  readonly isMost: boolean;
}[] = [
  {
    ending: 'newest|latest|most recent|neu(?:e?ste[nrs]?)|nieuwste',
    afterMore:
      'récente?s?|nouve(?:au|lle)s?|neuf|neuve|recientes?|nuev[oa]s?|modern[oa]s?|recent[ei]s?|nuov[oaie]|nov[oa]s?',
    columns: most(isMaking, isEntry, isDate),
    isMost: true,
  },
  {
    ending: 'youngest|jüngste[nrs]?|jongste',
    afterMore: 'jeunes?|j[oó]ve(?:n|nes|m|ns)|giovan[ei]',
    columns: [...most(isBirth), ...least(isAge)],
    isMost: true,
  },
  {
    ending: 'oldest|eldest|älteste[nrs]?|oudste',
    afterMore: 'vieux|vieil(?:le)?s?|âgée?s?|viej[oa]s?|mayor(?:es)?|vecchi[oae]?|anzian[oaie]|velh[oa]s?',
    columns: [...least(isBirth), ...most(isAge), ...least(isMaking)],
    isMost: false,
  },
  {
    ending: 'longest[- ]serving|longest[- ]standing|langjährigste[nrs]?',
    afterMore: 'ancien(?:ne)?s?|antigu[oa]s?|antic(?:o|a|hi|he)|antig[oa]s?',
    columns: least(isEntry, isMaking, isDate),
    isMost: false,
  },
  {
    ending:
      'cheapest|costs? (?:the )?least(?! of)|koste[nt] am wenigsten|am wenigsten koste[nt]|coûte(?:nt)? le moins(?: cher)?|kost het minst|least expensive|most affordable|billigste[nrs]?|günstigste[nrs]?|preiswerteste[nrs]?|goedkoopste',
    afterMore: 'barat[oa]s?|economic(?:o|a|i|he)|económic[oa]s?',
    columns: least(isPrice, isOfCurrency),
    isMost: false,
  },
  {
    ending:
      'most expensive|costs? (?:the )?most(?! of)|koste[nt] am meisten|am meisten koste[nt]|coûte(?:nt)? le plus(?: cher)?|kost het meest|dearest|priciest|costliest|teuerste[nrs]?|duurste',
    afterMore: 'ch(?:er|ère)s?|car[oaie]s?',
    columns: most(isPrice, isOfCurrency),
    isMost: true,
  },
  {
    ending:
      'heaviest|weighs? (?:the )?most|wieg(?:t|en) am meisten|am meisten wieg(?:t|en)|pèse(?:nt)? le plus(?: lourd)?|schwerste[nrs]?|zwaarste',
    afterMore: 'lourde?s?|pesad[oa]s?|pesant[ei]',
    columns: [...most(isWeight), ...most(isDifficulty)],
    isMost: true,
  },
  {
    ending:
      'lightest|weighs? (?:the )?least|wieg(?:t|en) am wenigsten|am wenigsten wieg(?:t|en)|pèse(?:nt)? le moins(?: lourd)?|leichteste[nrs]?|lichtste',
    afterMore: 'lég(?:er|ère)s?|liger[oa]s?|legger[oaie]|leves?',
    columns: [...least(isWeight), ...least(isDifficulty)],
    isMost: false,
  },
  {
    ending: 'tallest|highest|höchste[nrs]?|hoogste',
    afterMore: 'haute?s?|alt[oaie]s?',
    columns: most(isHeight),
    isMost: true,
  },
  {
    ending: 'lowest|niedrigste[nrs]?|laagste',
    afterMore: 'basse?s?|baj[oa]s?|bass[oaie]|baix[oa]s?',
    columns: least(isHeight),
    isMost: false,
  },
  {
    ending: 'longest|längste[nrs]?|langste',
    afterMore: 'longue?s?|longtemps|larg[oa]s?|lung(?:o|a|hi|he)|compri?d[oa]s?|long[oa]s?',
    columns: most(isDuration, isLength),
    isMost: true,
  },
  {
    ending: 'shortest|kürzeste[nrs]?|kortste',
    afterMore: 'courte?s?|cort[oaie]s?|brev[ei]|curt[oa]s?',
    columns: least(isDuration, isLength),
    isMost: false,
  },
  {
    ending: 'fastest|quickest|schnellste[nrs]?|snelste',
    afterMore: 'rapides?|rápid[oa]s?|veloc[ei]',
    columns: [...most(isSpeed), ...least(isDuration)],
    isMost: true,
  },
  {
    ending: 'slowest|langsamste[nrs]?|langzaamste',
    afterMore: 'lente?s?|lent[oai]s?',
    columns: [...least(isSpeed), ...most(isDuration)],
    isMost: false,
  },
  {
    ending: 'hardest|most difficult|toughest|most demanding|schwierigste[nrs]?|anspruchsvollste[nrs]?|moeilijkste',
    afterMore: 'difficiles?|difícil(?:es)?|difficil[ei]|exigeante?s?|exigentes?',
    columns: most(isDifficulty),
    isMost: true,
  },
  {
    ending: 'easiest|least difficult|einfachste[nrs]?|makkelijkste|gemakkelijkste',
    afterMore: 'faciles?|fáciles|fácil|facil[ei]|simples?',
    columns: least(isDifficulty),
    isMost: false,
  },
  {
    ending: 'biggest|largest|größte[nrs]?|grootste',
    afterMore: 'grande?s?|grand[ei]',
    columns: most(isSize),
    isMost: true,
  },
  {
    ending: 'smallest|kleinste[nrs]?',
    afterMore: 'petite?s?|pequeñ[oa]s?|piccol[oaie]|pequen[oa]s?',
    columns: least(isSize),
    isMost: false,
  },
];
