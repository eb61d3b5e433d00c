/**
 * Things of one kind of which none is another: what is said of the car is not said of the house, nor what is said of hens of bees. In
 * English, German, French and Spanish, written by hand. A line is a kind, commas separate its things, and a slash other words for one.
 */
import type { StemmedLanguage } from '../../../base/text/stems/foreign-stemmer.ts';
import { readWords } from '../text/words.ts';

const kinds: Readonly<Partial<Record<StemmedLanguage | 'en', string>>> = {
  en: `black, white, red, green, blue, yellow, brown, grey/gray, orange, purple, pink
dog/puppy, cat/kitten, hen/chicken/rooster/cockerel, bee/beehive, rabbit/bunny, goat, sheep/lamb, pig, duck, goose/geese, horse/pony, snake, hamster, guinea, parrot/budgie, tortoise, fish, ferret, rat, donkey, cow
house/home/household/contents, car/vehicle/motor, travel/holiday/trip, life, health/medical, dental, pet, bike/bicycle, phone/mobile, legal, boat
single, double, twin, triple, family
train/rail, flight/plane/airline, ferry, hotel, car/vehicle, bus/coach, taxi
gas, water, electricity/power, oil, internet/broadband, council
swimming/swim, football/soccer, tennis, chess, drama, judo, karate, yoga, dance/dancing, ballet, hockey, cricket, rugby, basketball, volleyball, badminton, netball, gymnastics, athletics, cycling, rowing, sailing, gardening, coding, cooking, knitting, pottery
piano, guitar, violin, cello, flute, clarinet, trumpet, saxophone, drum/drums, harp, recorder, organ
washing, dishwasher/dish, dryer/tumble, fridge/refrigerator, freezer, oven, cooker, kettle, toaster, vacuum/hoover, microwave, television/TV, boiler, printer, scanner, laptop, camera, radio
wifi/internet, lock/padlock, alarm, gate, SIM
breakfast, lunch/dinner/supper
spring, summer, autumn, winter`,
  de: `schwarz, weiß, rot, grün, blau, gelb, braun, grau, orange, lila, rosa
hund, katze, huhn/hühner/hahn/hähne/henne, biene/imkerei, kaninchen/hase, ziege, schaf, schwein, ente, gans/gänse, pferd/pony, schlange, hamster, meerschweinchen, papagei/wellensittich, schildkröte, esel, kuh/kühe
haus/wohnung/hausrat/wohngebäude/gebäude, auto/kfz/fahrzeug, reise, leben, zahn, fahrrad, handy/telefon, rechtsschutz, haftpflicht
einzelzimmer, doppelzimmer, familienzimmer
zug/bahn, flug/flugzeug, fähre, hotel, mietwagen/auto, bus, taxi
gas, wasser, strom, öl, internet
frühling/frühjahr, sommer, herbst, winter
handball, fußball, volleyball, tennis, turnen, judo, karate, schwimmen, tischtennis, badminton, leichtathletik, basketball, schach
klavier, gitarre, geige, cello, flöte, klarinette, trompete, schlagzeug, harfe, orgel
waschmaschine, trockner, spülmaschine/geschirrspüler, kühlschrank, gefrierschrank/gefriertruhe, herd/backofen, staubsauger, mikrowelle, toaster, wasserkocher, kaffeemaschine, fernseher, drucker, laptop
frühstück, mittagessen, abendessen`,
  fr: `noir, blanc/blanche, rouge, vert, bleu, jaune, brun/marron, gris, orange, violet, rose
chien, chat, poule/coq/poulet, abeille/ruche, lapin, chèvre, mouton, cochon, canard, oie, cheval/poney, serpent, hamster, perroquet/perruche, tortue, âne, vache
maison/habitation/logement/appartement, voiture/auto/automobile, voyage, vie, santé, vélo, téléphone/mobile, juridique, bateau
train, avion/vol, ferry, hôtel, voiture, bus/car, taxi
gaz, eau, électricité, mazout, internet
printemps, été, automne, hiver
football/foot, tennis, natation/piscine, judo, karaté, danse, yoga, handball, basket, volley, rugby, gymnastique, escalade, échecs, théâtre, couture, poterie, dessin
piano, guitare, violon, violoncelle, flûte, clarinette, trompette, batterie, harpe, orgue
réfrigérateur/frigo, congélateur, four, aspirateur, télévision/télé/téléviseur, imprimante, chaudière`,
  es: `negro, blanco, rojo, verde, azul, amarillo, marrón, gris, naranja, morado, rosa
perro, gato, gallina/gallo, abeja/colmena, conejo, cabra, oveja, cerdo, pato, caballo/poni, serpiente, hámster, loro/periquito, tortuga, burro, vaca
casa/hogar/vivienda, coche/auto/vehículo, viaje, vida, salud, bicicleta/bici, móvil/teléfono
tren, vuelo/avión, ferry, hotel, coche, autobús/bus, taxi
gas, agua, luz/electricidad, internet
primavera, verano, otoño, invierno
fútbol, tenis, natación, judo, kárate, baile/danza, yoga, baloncesto, voleibol, ajedrez, teatro
piano, guitarra, violín, flauta, trompeta, batería, arpa
lavadora, secadora, lavavajillas, nevera/frigorífico, congelador, horno, aspiradora, microondas, televisor/televisión, impresora, caldera
desayuno, comida/almuerzo, cena`,
};

/** The things of a kind, each by the stems of the words for it. */
type Kind = readonly ReadonlySet<string>[];

const read = new Map<StemmedLanguage | undefined, readonly Kind[]>();

/** The stems of the things of the same kind as a stem, without its own; several sets if it is of several kinds. */
export function rivalsOf(stem: string, language: StemmedLanguage | undefined): ReadonlySet<string>[] {
  return kindsIn(language).flatMap((kind) => {
    const own = kind.find((thing) => thing.has(stem));
    if (own === undefined) return [];
    return [new Set(kind.flatMap((thing) => (thing === own ? [] : [...thing].filter((other) => !own.has(other)))))];
  });
}

/** The stems of the words for the same thing in any of its kinds. */
export function samesOf(stem: string, language: StemmedLanguage | undefined): ReadonlySet<string> {
  const things = kindsIn(language).flatMap((kind) => kind.filter((thing) => thing.has(stem)));
  return new Set(things.flatMap((thing) => [...thing]));
}

function kindsIn(language: StemmedLanguage | undefined): readonly Kind[] {
  const known = read.get(language);
  if (known !== undefined) return known;
  const stemsOf = (words: string) => new Set(readWords(words, language).map(({ stem }) => stem));
  const found = (kinds[language ?? 'en'] ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(', ').map(stemsOf));
  read.set(language, found);
  return found;
}
