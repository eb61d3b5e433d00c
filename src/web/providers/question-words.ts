/**
 * The words of questions that say nothing about their subject, by language. Services that look for every word of a query do
 * not want them, and they tell in which language a question is.
 */

/** By code of ISO 639-1. Set by hand. */
export const questionWords: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    en: `who whom whose what when where which why how is are was were do does did has have had can could the a an of in on at
      to for by with from and or it its there that this many much`,
    de: `wer wen wem wessen was wann wo woher wohin warum wieso weshalb wie welche welcher welches welchen welchem ist sind war
      waren wird wurde wurden werden hat haben hatte hatten kann können konnte der die das den dem des ein eine einen einem
      einer eines von vom in im an am auf zu zum zur für bei beim mit aus nach über unter und oder es er sie sich viel viele
      gibt`,
    fr: `qui que quoi quand où pourquoi comment combien quel quelle quels quelles est sont était étaient fut furent a ont avait
      avaient peut le la les un une des du de en dans au aux sur pour par avec et ou il elle ils elles ce cette ces se`,
    es: `quién quiénes qué cuándo dónde cómo cuál cuáles cuánto cuánta cuántos cuántas por es son era eran fue fueron ha han
      había el la los las un una unos unas de del en a al para con y o se su sus lo hay`,
    it: `chi che cosa quando dove perché come quale quali quanto quanta quanti quante è sono era erano fu furono ha hanno aveva
      il lo la i gli le un uno una di del dello della dei degli delle in nel nella nei nelle a al alla ai alle su sul sulla
      per con da dal dalla e o si`,
    pt: `quem que quando onde como qual quais quanto quanta quantos quantas porque é são era eram foi foram tem têm tinha o a os
      as um uma uns umas de do da dos das em no na nos nas ao à por para com e ou se há`,
    nl: `wie wat wanneer waar waarom hoe welke welk hoeveel is zijn was waren wordt worden werd werden heeft hebben had kan kon
      de het een van in op aan te tot voor bij met uit naar door en of er dat die`,
  }).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
);

/** Of those, the words that are in no other language and name nothing in English: one as the first word tells. */
export const telling: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    de: 'wer wann warum wieso weshalb woher wohin welche welcher welches',
    fr: 'quand où pourquoi combien quel quelle quels quelles',
    es: 'quién quiénes qué cuándo dónde cómo cuál cuáles cuánto cuántos cuántas',
    it: 'perché quanti quante',
    pt: 'quem onde quais quantos quantas',
    nl: 'wanneer waar waarom hoe welke hoeveel',
  }).flatMap(([language, words]) => words.split(' ').map((word) => [word, language])),
);
