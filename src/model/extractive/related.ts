/**
 * Words that questions and their answers use for each other: "founded" and "established", "cost" and "price". Written by
 * hand, for general English and technical prose; a word may stand in several groups. Everything is by stem.
 */
import { stemOf } from './words.ts';

const groups = `
found founded founder establish create start begin launch form set organize initiate inaugurate originate introduce institute
build construct erect design architect engineer
make manufacture produce create develop assemble fabricate
write author writer pen novel book compose publish novelist wrote
publish release issue launch print appear come debut
publication magazine newspaper journal book article report press weekly daily periodical
name call know title dub entitle refer term nickname rename label describe name designate
mean refer denote signify stand definition define term
term word phrase name expression call refer
kind type sort form variety category class style genre
buy purchase acquire acquisition takeover obtain sell
cost price worth value fee pay spend dollar expensive
money fund finance revenue income budget dollar pay salary earn profit million billion
percentage percent proportion share fraction rate ratio account
number total count amount many quantity figure
people population inhabitant resident citizen person individual live
live reside resident inhabit home dwell settle
locate situate lie site base find place stand location headquarters
place location site area region spot venue
area region territory district zone land province
big large great huge major massive size
biggest largest greatest most
main major primary principal chief key important central
important significant major key notable essential critical crucial
famous notable known renowned popular prominent celebrated fame
begin start commence open initiate onset since launch
end finish conclude close complete cease terminate stop final last over
stop cease halt end prevent abandon discontinue
last final end late recent
happen occur take place event result
cause lead result reason due because responsible bring trigger contribute
reason because due cause why purpose motive
result lead cause effect outcome consequence
purpose goal aim intend objective mission intention
goal aim objective target purpose
help assist aid support contribute allow enable
assist help aid support
support back endorse favor advocate help backing
oppose against resist object criticize reject opposition protest
criticize criticism critic condemn attack denounce object controversy
praise acclaim laud commend applaud positive celebrate
say state claim argue assert declare comment believe note remark according suggest statement announce
believe think argue claim consider opinion view hold suggest feel theory
think believe consider view regard opinion
consider regard view deem see think rank
describe call characterize portray depict refer say write
show display reveal demonstrate exhibit indicate present appear
reveal announce disclose expose show discover
announce declare reveal proclaim confirm statement
report announce say account study article
accuse charge allege blame claim
study research investigate examine survey analysis science learn
discover find detect identify uncover
find discover locate identify see
teach educate instruct professor teacher train lecture tutor
study attend student learn school university college degree major
school university college academy institution education
attend go study enroll visit
graduate degree student alumnus diploma
child son daughter kid offspring baby birth
son daughter child father mother parent
parent father mother family
brother sister sibling twin
wife husband spouse marry wed couple partner
marry wed wife husband marriage wedding spouse
divorce separate split marriage
born birth native birthplace
die death kill dead pass deceased perish fatal
kill murder assassinate die execute slay death victim casualty
casualty death kill toll victim dead injure
injure wound hurt casualty damage
war battle conflict fight combat campaign invasion military
fight battle war combat defend struggle
attack invade raid assault strike bomb offensive
invade conquer occupy attack capture invasion conquest
conquer capture seize defeat occupy take annex
defeat beat win overcome victory lose
win defeat victory victorious champion award earn title
award prize honor win medal grammy receive recognition
receive get earn win obtain gain award accept
get receive obtain gain acquire become
give provide grant offer donate award supply present
provide give supply offer serve furnish
donate give contribute charity fund
allow permit let enable authorize able
forbid ban prohibit outlaw prevent disallow restrict
ban prohibit forbid outlaw suspend
need require necessary must demand
require need necessary must mandatory
use utilize employ apply usage
work job employ occupation career serve labor
job occupation position profession career role work employ
role part character play star act position
play perform star portray act role appear
actor actress star play cast role portray
sing vocal singer song perform vocalist
song single track music album record
album record release song debut lp
band group duo musician orchestra ensemble
music musical song compose composer
perform concert tour stage show play appear
movie film picture cinema documentary
television tv broadcast channel show series air station network
air broadcast televise premiere show
show program series broadcast
game video play title
team club group squad side
sport game athletic football team
player athlete star
leader head chief president ruler lead king director
ruler king emperor monarch queen sultan reign rule prince
rule govern reign control power
president leader head chairman
government administration state regime authority cabinet
law legislation act statute bill rule legal
court judge justice supreme trial rule
elect vote election choose president win candidate ballot
choose select pick elect appoint prefer option
appoint name select nominate assign elect choose
vote ballot election poll
leave depart exit quit resign withdraw abandon
resign quit leave step retire
return back come again
go travel visit move journey trip attend
travel go visit journey tour trip voyage
visit travel tour tourist go arrive
tourist visitor tourism attraction travel
move relocate transfer migrate shift go
arrive come reach land arrival
come arrive originate derive
derive originate come origin root from
origin source root derive beginning come
change alter modify transform shift become replace amend
become turn grow change serve
replace succeed substitute change supersede
succeed follow replace successor next
increase grow rise expand gain growth
grow increase expand rise growth develop
decrease decline drop fall reduce lower lose
reduce decrease cut lower limit lessen
limit restrict bound cap maximum
long length last duration mile kilometer year
high height tall elevation altitude meter feet
old age year ancient
far distance mile kilometer
fast speed quick rapid velocity
size large area square measure
weigh weight heavy pound kilogram
temperature hot cold warm heat degree celsius
weather climate temperature rain
rain rainfall precipitation snow storm
river stream water flow
mountain peak range hill
border neighbor adjacent boundary bound
country nation state republic kingdom
capital city seat
city town municipality urban metropolis village
religion faith church christian belief religious worship
church cathedral religious parish
language speak speaker tongue dialect spoken
speak talk speech language say
percent percentage
company firm corporation business manufacturer maker
business company commerce trade industry enterprise firm
trade commerce export import merchant
employ worker staff employee hire job
army military force troop soldier
soldier troop army force
weapon gun arm missile
police officer law arrest
arrest jail prison detain imprison capture
prison jail imprison inmate
crime criminal offense
disease illness infection condition disorder sick
doctor physician medical
treat cure therapy medicine treatment
animal species creature mammal
species animal plant organism
eat food feed diet consume meal
food eat dish cuisine meal
drink beverage alcohol wine beer
plant tree crop flower
compose consist comprise make contain include composition
consist comprise compose include contain make
include contain comprise feature consist involve
contain include hold have
involve include participate engage part
part portion section component piece
component part element piece
feature include characteristic
divide split separate section branch
join enter member unite become
member join belong part
participate take part compete involve
own possess owner property belong
control run operate own manage govern
manage run operate direct head administer
run operate manage
direct director lead
damage destroy harm injury loss
destroy demolish ruin damage burn
protect defend guard preserve safe conserve
save rescue protect preserve
danger risk threat hazard
difficult hard challenge problem
problem issue trouble difficulty challenge
issue problem matter concern
similar like same resemble
different differ distinct other unlike
opposite contrast reverse
average mean median typical
usually often typically commonly generally normally
common frequent often usual popular widespread typical
rare uncommon scarce
example such instance include
idea concept theory notion
theory idea hypothesis
method way technique process approach procedure
way method manner means
influence inspire affect impact
inspire influence base motivate
base found ground rest
effect impact influence affect
image picture photo portrait
art painting artist work
paint artist draw art
color red blue green white black
symbol represent emblem
represent symbolize stand depict
translate translation mean version
version edition model release
model version type design
invent create devise develop inventor
technology device machine computer
car vehicle automobile
train rail railway station
ship boat vessel sail navy
airport flight air plane
plane aircraft flight
road highway street route
bridge cross span
door gate entrance
building structure house tower construct
house home residence live
museum gallery collection
date day month january february march april may june july august september october november december
month january february march april may june july august september october november december
season spring summer autumn winter fall
year annual decade
annual yearly year
decade century
century 
early first beginning
first early original initial begin
original first initially
second two next
half 50 percent
meet encounter
sign agreement treaty
agreement treaty deal pact contract sign
friend friendship close
enemy foe opponent rival
opponent rival against
relationship relation tie affair
affair relationship
lose loss defeat
try attempt seek effort
attempt try effort
want desire wish seek intend hope plan
plan intend propose scheme
ask request demand
answer reply respond
refuse reject decline deny
reject refuse decline
accept agree approve
agree accept consent
approve accept ratify
know aware understand familiar
understand know comprehend
remember recall memory
gather collect assemble
collect gather collection
send dispatch deliver
bring carry take
carry transport bring
keep retain maintain hold
maintain keep preserve
remain stay still keep
stay remain
put place set
set place put configure assign option
fix repair solve correct
solve resolve solution fix
error fail failure exception throw
fail failure error unsuccessful
remove delete eliminate drop clear
delete remove destroy erase
add append insert include
enable allow activate turn
disable deactivate turn off
default initial
option parameter argument setting property flag
install setup add
configure setting option config set
return give yield result
timeout time limit expire deadline
connect connection link join
parse read decode
convert transform change cast
check test validate verify
test check verify exam
log print output
stream pipe
cache store
store save keep
retry again repeat
cancel abort stop
abort cancel signal
override replace
wait delay timeout
size length limit maximum
maximum max largest limit most highest
minimum min least lowest smallest
`;

/** For each stem, the stems of the groups it stands in; itself not among them. */
export const related: ReadonlyMap<string, ReadonlySet<string>> = readGroups();

function readGroups(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const line of groups.trim().split('\n')) {
    // The first word is the one a question would use; the others are what its answer may say.
    const [head, ...others] = line.trim().split(/\s+/).map(stemOf);
    if (head === undefined) continue;
    for (const other of others) {
      if (other === head) continue;
      join(found, head, other);
      join(found, other, head);
    }
  }
  return found;
}

function join(found: Map<string, Set<string>>, from: string, to: string): void {
  const known = found.get(from);
  if (known === undefined) found.set(from, new Set([to]));
  else known.add(to);
}
