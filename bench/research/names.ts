/** Invented names of people, towns, rivers, bridges and companies. No model can have read of them. */
import { drawAny, type Random } from '../support/random.ts';

const beginnings =
  'Vel Tarn Os Mur Keld Bran Sor Ith Quel Dor Fen Gal Hest Ul Jar Nev Pol Rusk Sel Thorn Wex Yar Zel Cam Lod Orm'.split(
    ' ',
  );
const middles = 'a e i o u ar en il or und esk ov am ist ath'.split(' ');
const endings = {
  town: 'mora holt wick stede by grad mouth ford burne haven tell venn'.split(' '),
  river: 'ne ra lle sk tha v ster m'.split(' '),
  company: 'dyne tronics works line craft vane mark lund'.split(' '),
  given: 'a o e is an el us ine or eth'.split(' '),
  family: 'reth mann sson dal quist ova berg ley trup wold kamp'.split(' '),
} as const;

/** Draws names; none twice, whatever it is for. */
export function createNames(random: Random): Record<'town' | 'river' | 'bridge' | 'company' | 'person', () => string> {
  const used = new Set<string>();
  const any = drawAny(random);
  const word = (kind: keyof typeof endings) => any(beginnings) + any(middles) + any(endings[kind]);
  const unique = (draw: () => string) => () => {
    for (;;) {
      const name = draw();
      if (!used.has(name) && used.add(name)) return name;
    }
  };
  return {
    town: unique(() => word('town')),
    river: unique(() => word('river')),
    bridge: unique(() => `${word('town')} ${any(['Bridge', 'Viaduct', 'Crossing'])}`),
    company: unique(() => `${word('company')} ${any(['Instruments', 'Foundry', 'Optics', 'Shipping', 'Glass'])}`),
    person: unique(() => `${word('given')} ${word('family')}`),
  };
}
