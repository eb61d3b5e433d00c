/**
 * Words that questions and their answers use for each other: "founded" and "established", "cost" and "price". Written by
 * hand, for general English and technical prose; a word may stand in several groups. Everything is by stem.
 */
import { stemOf } from '../text/words.ts';

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
woman female girl lady
man male boy
female woman girl
male man boy
earthquake quake tremor seismic magnitude
money cash currency coin dollar fund
body organization agency council committee
exist survive remain present available
available offer release access
ability capable able power capacity
besides addition other apart except
credit attribute recognize acknowledge
associate link relate connect tie
relate associate connect
determine decide establish find
decide determine resolve choose decision
decision ruling decide verdict
service agency duty
subject topic theme matter
topic subject theme
theme subject motif
crisis emergency disaster recession
disaster catastrophe earthquake flood crisis
factor reason element cause
thing item object
item object thing piece product
division branch department section unit
promote advance encourage advertise
encourage urge promote motivate
advertise advertisement commercial promote marketing
suffer experience endure undergo
experience undergo suffer
address speech deal tackle
modern contemporary current recent
current present now today
today current now present
previous former earlier prior before
former previous ex
prior before previous earlier
following after next subsequent
away far off
whole entire complete full total all
entire whole complete all
together jointly along
along with together beside
look appear seem appearance
appearance look visual
level degree rank grade
rank rate list place position number top
rating score rank review star
review critic rate response reception
critic review reviewer
response reaction reply answer
reaction response react
fashion style clothing dress
clothing clothes dress wear apparel garment fashion
wear dress clothing outfit
letter correspondence write
ultimate final eventual end
eventually finally later ultimately
explore investigate discover expedition
good beneficial positive benefit advantage
benefit advantage gain help profit
advantage benefit strength
disadvantage drawback problem weakness downside
bad negative poor harmful
poor poverty impoverished low
rich wealthy wealth affluent
best top greatest most finest
worst lowest
third three 3rd
certain some specific particular
specific particular certain
practice custom tradition habit exercise
tradition custom practice heritage
achieve accomplish attain reach success
success successful hit achieve popular
successful success hit
predict forecast expect anticipate estimate
expect anticipate predict estimate
estimate approximate calculate assess about
calculate compute determine measure formula
measure calculate assess metric indicator
compare relative than contrast
share portion part common
interest fascinate curious passion
passion love enthusiasm
love like enjoy affection
hate dislike
fear afraid scare worry
worry concern fear
concern worry issue about
angry anger furious outrage
happy joy pleased
sad grief mourn
life lifetime live career
career profession life
age old year young
young youth child early
childhood child young grow youth
raise grow bring upbringing rear
education school educate study teach training
skill ability talent
talent skill ability gift
hobby interest
health medical illness
hospital medical clinic patient
patient sick hospital
drug medicine medication pharmaceutical
smoke tobacco cigarette
energy power electricity fuel
electricity power electric
fuel oil gas energy petroleum
oil petroleum
material substance made
metal iron steel copper gold silver
gold golden
wood timber forest
forest wood tree
farm agriculture farmer crop
agriculture farm crop
industry manufacturing sector
economy economic gdp financial
economic economy financial
debt loan owe borrow credit
loan borrow lend mortgage debt
bank financial
tax duty levy
market trade sell stock
customer consumer buyer user client
consumer customer user
user customer people
worker labor employee laborer
strike protest
protest demonstration demonstrate riot oppose
riot unrest protest
revolution revolt uprising rebellion
rebel revolt uprising rebellion insurgent
independence independent sovereignty
independent autonomous free
free freedom liberty release
freedom liberty free
slave slavery
treaty agreement accord
peace treaty truce ceasefire
ally alliance allied partner
partner ally collaborate
collaborate cooperate together joint
politician political senator
political politics party
party political
senator senate congress
congress legislature parliament
parliament legislature assembly congress
legislature parliament congress
constitution amendment law
minister ministry secretary
monarch king queen emperor
throne crown king reign
crown throne king
dynasty empire imperial
empire imperial emperor dynasty
soldier army troop men
general commander army
commander general command lead
navy naval fleet ship
battle fight siege
siege besiege
escape flee
flee escape exile refugee
exile banish flee
ancestor descent descend forefather
descend ancestor descent
race ethnic ethnicity racial
ethnic race ethnicity group
ethnicity ethnic race
immigrant immigration migrate foreign
foreign abroad overseas international
international world global foreign
world global international worldwide
global world worldwide
local regional native
native indigenous local
north northern
south southern
east eastern
west western
coast shore seaside coastal
island isle
lake water
sea ocean maritime
ocean sea
beach coast
valley river
desert arid dry
dry arid
wet moist rain humid
hot warm heat
cold cool freeze winter
sun solar sunlight
solar sun
light lamp bright illuminate lighting
dark black night
night evening
morning dawn
hour time
minute second
week seven day
weekend saturday sunday
sunday week
holiday festival celebrate
festival celebration event
ceremony event ritual
ritual rite ceremony
pray prayer worship
god deity divine
priest clergy bishop
bishop archbishop
pope papal vatican
monk monastery
temple shrine
bible scripture
holy sacred
myth legend
legend myth story
story tale plot narrative novel
plot story narrative
character role protagonist figure
protagonist character hero main
villain antagonist
scene sequence
episode series season show
season series year
director direct film
producer produce
script write screenplay
lyric song word
melody tune music
instrument piano guitar
piano pianist
guitar guitarist
dance dancer ballet
theater theatre stage play
stage theater perform
audience viewer crowd spectator
viewer audience watch
watch view see viewer
listen hear audio
hear listen
radio broadcast station
internet web online website
website site web online
online internet web
computer pc software hardware
software program application computer
program software application
phone telephone mobile
photograph photo picture image
photo photograph picture
draw sketch illustrate
museum exhibit
exhibit display exhibition
sculpture statue sculptor
statue sculpture monument
monument memorial statue
memorial commemorate honor tribute
honor commemorate tribute award
tribute honor
tomb grave bury burial
bury burial grave funeral
funeral bury burial
body corpse remains
brain mind
mind brain thought
blood vein
heart cardiac
bone skeleton
eye vision sight
dog canine puppy
cat feline
insect bug
bacteria microbe
gene genetic dna genome
genetic gene dna
genome gene dna
evolve evolution develop
evolution evolve
chemical substance compound
liquid water fluid
rock stone
stone rock
soil ground earth
earth world
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
