/** Forms of the strong verbs of other languages that everyday questions and notes have; those of English are in words.ts. */
import type { StemmedLanguage } from '../../../base/text/stems/foreign-stemmer.ts';

/** Forms of strong verbs that their stemmers take for other words. Each group begins with the infinitive; written by hand. */
export const strongVerbs: Readonly<Partial<Record<StemmedLanguage, string>>> = {
  de: `gehen geht ging gingen gegangen;kommen kommt kam kamen gekommen;geben gibt gab gaben gegeben;nehmen nimmt nahm nahmen genommen;
essen isst aß aßen gegessen;fahren fährt fuhr fuhren gefahren;sehen sieht sah sahen gesehen;lesen liest las lasen gelesen;
sprechen spricht sprach sprachen gesprochen;treffen trifft traf trafen getroffen;helfen hilft half halfen geholfen;
finden findet fand fanden gefunden;bleiben bleibt blieb blieben geblieben;schreiben schreibt schrieb schrieben geschrieben;
beginnen beginnt begann begannen begonnen;laufen läuft lief liefen gelaufen;tragen trägt trug trugen getragen;backen backt bäckt gebacken;
schließen schließt schloss schlossen geschlossen;bringen bringt brachte brachten gebracht;trinken trinkt trank tranken getrunken;
sterben stirbt starb starben gestorben;ziehen zieht zog zogen gezogen;halten hält hielt hielten gehalten;liegen liegt lag lagen gelegen;
verlieren verliert verlor verloren;wachsen wächst wuchs wuchsen gewachsen`,
  fr: `aller va vont allons allez allait allé allée ira iront;venir vient viennent venu venue venus viendra viendront;
prendre prend prennent prenez prenons pris prise prises prendra;mettre met mettent mettez mis mise mises mettra;
partir part partent partez partons partait partira partiront;voir voit voient voyez vu vue verra;recevoir reçoit reçoivent reçu reçue reçus;
ouvrir ouvre ouvrent ouvert ouverte ouverts ouvrira;offrir offre offrent offert offerte offerts;écrire écrit écrite écrits écrivent;
tenir tient tiennent tenu tenue tiendra;devenir devient deviennent devenu devenue;naître naît né née nés;mourir meurt mourut morte;
vendre vend vendent vendu vendue vendus;perdre perd perdent perdu perdue;boire boit boivent bu;vivre vivent vécu vivait;
rendre rend rendent rendu rendue;attendre attend attendent attendu attendez`,
  es: `venir viene vienen vengo vino vinieron vendrá venido;volver vuelve vuelven vuelvo volvemos volvió volvieron vuelto volverá;
poner pone ponen puso pusieron puesto pondrá;hacer hace hacen hago hizo hicieron hecho hará;decir dice dicen dijo dijeron dicho;
tener tienen tuvo tuvieron tenido tendrá;querer quiere quieren quiso;dar dio dieron dado;ver vio vieron visto;
salir sale salen salgo salió salieron saldrá;traer trae traen trajo trajeron traído;empezar empieza empiezan empezó empezaron;
cerrar cierra cierran cerró cerrado;perder pierde pierden perdió perdido;pedir pide piden pidió pedido;
morir muere mueren murió murieron muerto;abrir abre abren abrió abierto abierta;escribir escribe escribió escrito;
romper rompe rompió roto rota;encontrar encuentra encuentran encontró encontrado;elegir elige eligió elegido;jugar juega juegan jugó jugado`,
};
