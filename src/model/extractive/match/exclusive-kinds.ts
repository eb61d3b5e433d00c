/**
 * Groups of mutually exclusive things: what is said of the car does not hold for the house, nor what is said of hens for bees. In
 * English, German, French and Spanish, written by hand. A line is a kind, commas separate its things, and a slash other words for one.
 */
import type { StemmedLanguage } from '../../../base/text/stems/foreign-stemmer.ts';
import { readWords } from '../text/words.ts';

interface Kinds {
  /** What can be sold, kept or looked for. */
  readonly things: string;
  /** What tells things apart, "house" of "house insurance", and is also said of much else. */
  readonly qualities: string;
}

const kinds: Readonly<Partial<Record<StemmedLanguage | 'en', Kinds>>> = {
  en: {
    things: `dog/puppy, cat/kitten, hen/chicken/rooster/cockerel, bee/beehive, rabbit/bunny, goat, sheep/lamb, pig, duck, goose/geese, horse/pony, snake, hamster, guinea, parrot/budgie, tortoise, fish, ferret, rat, donkey, cow
swimming/swim, football/soccer, tennis, chess, drama, judo, karate, yoga, dance/dancing, ballet, hockey, cricket, rugby, basketball, volleyball, badminton, netball, gymnastics, athletics, cycling, rowing, sailing, gardening, coding, cooking, knitting, pottery
piano, guitar, violin, cello, flute, clarinet, trumpet, saxophone, drum/drums, harp, recorder, organ
washing, dishwasher/dish, dryer/tumble, fridge/refrigerator, freezer, oven, cooker, kettle, toaster, vacuum/hoover, microwave, television/TV, boiler, printer, scanner, laptop, camera, radio
breakfast, lunch/dinner/supper
sofa/couch/settee, chair/armchair/stool, lamp, wardrobe/closet, desk, bookcase/bookshelf, mattress
kitchen, bathroom/toilet, bedroom, garage, cellar/basement, attic/loft, garden, shed, balcony, sauna
paper/cardboard, plastic, glass, organic/compost, metal, clothes/textile, battery
spring, summer, autumn, winter`,
    qualities: `train/rail, flight/plane/airline, ferry, hotel, car/vehicle, bus/coach, taxi
black, white, red, green, blue, yellow, brown, grey/gray, orange, purple, pink
house/home/household/contents, car/vehicle/motor, travel/holiday/trip, life, health/medical, dental, pet, bike/bicycle, phone/mobile, legal, boat
single, double, twin, triple, family
gas, water, electricity/power, oil, internet/broadband, council
wifi/internet, lock/padlock, alarm, gate, SIM`,
  },
  de: {
    things: `hund, katze, huhn/hühner/hahn/hähne/henne, biene/imkerei, kaninchen/hase, ziege, schaf, schwein, ente, gans/gänse, pferd/pony, schlange, hamster, meerschweinchen, papagei/wellensittich, schildkröte, esel, kuh/kühe
frühling/frühjahr, sommer, herbst, winter
handball, fußball, volleyball, tennis, turnen, judo, karate, schwimmen, tischtennis, badminton, leichtathletik, basketball, schach
klavier, gitarre, geige, cello, flöte, klarinette, trompete, schlagzeug, harfe, orgel
waschmaschine, trockner, spülmaschine/geschirrspüler, kühlschrank, gefrierschrank/gefriertruhe, herd/backofen, staubsauger, mikrowelle, toaster, wasserkocher, kaffeemaschine, fernseher, drucker, laptop
frühstück, mittagessen, abendessen
sofa/couch, stuhl/sessel, lampe, schrank, schreibtisch, regal, matratze
küche, bad/badezimmer/toilette, schlafzimmer, garage, keller, dachboden/speicher, garten, schuppen, balkon, sauna
papier/karton/pappe, plastik/kunststoff, glas, bio/kompost, metall, restmüll, batterie`,
    qualities: `zug/bahn, flug/flugzeug, fähre, hotel, mietwagen/auto, bus, taxi
schwarz, weiß, rot, grün, blau, gelb, braun, grau, orange, lila, rosa
haus/wohnung/hausrat/wohngebäude/gebäude, auto/kfz/fahrzeug, reise, leben, zahn, fahrrad, handy/telefon, rechtsschutz, haftpflicht
einzelzimmer, doppelzimmer, familienzimmer
gas, wasser, strom, öl, internet`,
  },
  fr: {
    things: `chien, chat, poule/coq/poulet, abeille/ruche, lapin, chèvre, mouton, cochon, canard, oie, cheval/poney, serpent, hamster, perroquet/perruche, tortue, âne, vache
printemps, été, automne, hiver
football/foot, tennis, natation/piscine, judo, karaté, danse, yoga, handball, basket, volley, rugby, gymnastique, escalade, échecs, théâtre, couture, poterie, dessin
piano, guitare, violon, violoncelle, flûte, clarinette, trompette, batterie, harpe, orgue
réfrigérateur/frigo, congélateur, four, aspirateur, télévision/télé/téléviseur, imprimante, chaudière
canapé, chaise/fauteuil, lampe, armoire, bureau, étagère, matelas
cuisine, garage, cave, grenier, jardin, balcon, sauna
papier/carton, plastique, verre, compost, métal`,
    qualities: `train, avion/vol, ferry, hôtel, voiture, bus/car, taxi
noir, blanc/blanche, rouge, vert, bleu, jaune, brun/marron, gris, orange, violet, rose
maison/habitation/logement/appartement, voiture/auto/automobile, voyage, vie, santé, vélo, téléphone/mobile, juridique, bateau
gaz, eau, électricité, mazout, internet`,
  },
  es: {
    things: `perro, gato, gallina/gallo, abeja/colmena, conejo, cabra, oveja, cerdo, pato, caballo/poni, serpiente, hámster, loro/periquito, tortuga, burro, vaca
primavera, verano, otoño, invierno
fútbol, tenis, natación, judo, kárate, baile/danza, yoga, baloncesto, voleibol, ajedrez, teatro
piano, guitarra, violín, flauta, trompeta, batería, arpa
lavadora, secadora, lavavajillas, nevera/frigorífico, congelador, horno, aspiradora, microondas, televisor/televisión, impresora, caldera
desayuno, comida/almuerzo, cena
sofá, silla/sillón, lámpara, armario, escritorio, estantería, colchón
cocina, baño/aseo, dormitorio, garaje, sótano, jardín, balcón, sauna
papel/cartón, plástico, vidrio, orgánico/compost, metal`,
    qualities: `tren, vuelo/avión, ferry, hotel, coche, autobús/bus, taxi
negro, blanco, rojo, verde, azul, amarillo, marrón, gris, naranja, morado, rosa
casa/hogar/vivienda, coche/auto/vehículo, viaje, vida, salud, bicicleta/bici, móvil/teléfono
gas, agua, luz/electricidad, internet`,
  },
};

/** The things of a kind, each by the stems of the words for it. */
type Kind = readonly ReadonlySet<string>[];
type ReadKinds = Readonly<Record<keyof Kinds, readonly Kind[]>>;

const read = new Map<StemmedLanguage | undefined, ReadKinds>();

/**
 * The stems of the things of the same kind as a stem, without its own; several sets if it is of several kinds. `of` says of which
 * kinds; of all by default.
 */
export function siblingsOf(
  stem: string,
  language: StemmedLanguage | undefined,
  of: 'all' | 'things' = 'all',
): ReadonlySet<string>[] {
  const { things, qualities } = kindsIn(language);
  return (of === 'all' ? [...things, ...qualities] : things).flatMap((kind) => {
    const own = kind.find((thing) => thing.has(stem));
    if (own === undefined) return [];
    return [new Set(kind.flatMap((thing) => (thing === own ? [] : [...thing].filter((other) => !own.has(other)))))];
  });
}

/** The stems of the words for the same thing, in any of its kinds. */
export function synonymsInKind(stem: string, language: StemmedLanguage | undefined): ReadonlySet<string> {
  const { things, qualities } = kindsIn(language);
  const same = [...things, ...qualities].flatMap((kind) => kind.filter((thing) => thing.has(stem)));
  return new Set(same.flatMap((thing) => [...thing]));
}

function kindsIn(language: StemmedLanguage | undefined): ReadKinds {
  const known = read.get(language);
  if (known !== undefined) return known;
  const stemsOf = (words: string) => new Set(readWords(words, language).map(({ stem }) => stem));
  const kindsOf = (lines: string) => lines.split('\n').map((line) => line.split(', ').map(stemsOf));
  const written = kinds[language ?? 'en'];
  const found: ReadKinds =
    written === undefined
      ? { things: [], qualities: [] }
      : { things: kindsOf(written.things), qualities: kindsOf(written.qualities) };
  read.set(language, found);
  return found;
}
