/**
 * The commonest words of seven languages: articles, pronouns, prepositions, auxiliaries and question words. They say nothing
 * about a subject, and tell in which language a text is.
 */

/** By code of ISO 639-1, in lower case. Set by hand. */
export const languageWords: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    en: `a an and are as at be by can could did do does for from had has have her his how in is it its many much of on or
    that the their there this to was were what when where which who whom whose why will with`,
    de: `aber als am an auch auf aus bei beim betrug beträgt bin bis bist da dann darf das dass dem den der des die dies diese dieser dieses
    durch dürfen ein eine einem einen einer eines er es findet für gibt habe haben hat hatte hatten hoch ich ihr im in ist ja kann
    kannst können konnte lange man mehr mein meine meinen mich mir mit muss müssen nach nicht noch nur ob oder ohne sein
    seine seit sich sie sind so soll sollte statt stattfindet über um und uns unser unter viel viele vom von vor wann war waren warum was
    welche welchem welchen welcher welches wem wen wenn wer werden weshalb wessen wie wieso wieviel wir wird wo wofür woher
    wohin wozu wurde wurden zu zum zur`,
    fr: `a à ai au aux avaient avait avec avez c ce ces cette combien comment d dans de des doit du elle elles en entre est et
    étaient était été être eux fait faut furent fut il ils j je l la là le les leur leurs lui ma mais me mes moi mon n ne
    nos notre nous on ont ou où par pas peut peux plus pour pourquoi puis qu quand que quel quelle quelles quels qui quoi s
    sa sans se ses si son sont sur t ta te temps tu un une vos votre vous y`,
    es: `a al algo ante cada como cómo con cual cuál cuáles cuando cuándo cuanta cuánta cuántas cuanto cuánto cuántos de del
    desde donde dónde e el él ella en entre era eran es esa ese eso esta está están este esto fue fueron ha había hace hacia
    han hasta hay la las le les lo los más me mi mis muy no nos o para pero por porque puede puedo que qué quién quiénes se
    ser si sin sirve sobre son su sus también te tengo tiene tu tus un una unas uno unos y ya`,
    it: `a ai al alla alle anche aveva che chi ci come con cosa costa cui da dal dalla degli dei del della delle dello di dove
    e è era erano fu furono gli ha hanno ho i il in la le lo ma mi mia mio nei nel nella nelle non o per perché più posso
    può quale quali quando quanta quante quanti quanto se si sono stato su sua sul sulla suo tra un una uno vi`,
    pt: `a à ao aos as às até com como da das de dela dele do dos e é ela ele em entre era eram essa esse esta está este eu
    foi foram há isso já lhe mais mas me meu minha na não nas no nos o onde os ou para pela pelo pode por porque posso quais
    qual quando quanta quantas quanto quantos que quem são se sem ser seu sua também tem têm tenho tinha um uma umas uns`,
    nl: `aan al als bij dan dat de deze die dit door een en er had heb hebben heeft het hij hoe hoeveel ik in is je kan kon
    lang maar mag me met mij mijn moet naar niet nog of om onder ons onze ook op over te tot u uit van veel voor waar waarom
    wanneer waren was wat welk welke werd werden wie word worden wordt zal ze zich zij zijn zo zonder zou`,
  }).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
);

/** Question words that are in no other language and name nothing in English: one as the first word tells the language. */
export const tellingWords: ReadonlyMap<string, string> = new Map(
  Object.entries({
    de: 'wer wann warum wieso weshalb woher wohin welche welcher welches sind gibt darf dürfen',
    fr: 'quand où qui pourquoi combien quel quelle quels quelles',
    es: 'quién quiénes qué cuándo dónde cómo cuál cuáles cuánto cuántos cuántas',
    it: 'chi perché quanti quante',
    pt: 'há quem onde quais quantos quantas',
    nl: 'wanneer waar waarom hoe welke hoeveel',
  }).flatMap(([language, words]) => words.split(' ').map((word): [string, string] => [word, language])),
);

/** Common words of questions that are about a subject, so that each is searched for as well; in no other of these languages. */
export const subjectWords: ReadonlyMap<string, string> = new Map(
  Object.entries({
    de: 'kostet kosten öffnet schließt geöffnet heißt heißen lautet lauten wohnt wohnen macht gehört bedeutet bedeuten funktioniert funktionieren',
    fr: 'coûte coûtent prix ouvre ferme paie',
    es: 'cuesta cuestan cierra precio',
    it: 'costano chiude apre prezzo',
    pt: 'custa custam fecha preço',
    nl: 'kost sluit prijs',
  }).flatMap(([language, words]) => words.split(' ').map((word): [string, string] => [word, language])),
);
