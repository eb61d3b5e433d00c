/**
 * Words that people use for the same thing in software and its documentation, beside those of general English: for headings
 * only, where a question and its section seldom share every word. Written by hand.
 */
import { readGroups } from '../match/synonyms.ts';

export const softwareSynonyms = readGroups(`
bug vulnerability issue problem defect flaw
error failure fault problem message exception
problem trouble issue failure
crash die fail stop
break fail disagree damage
down away gone unreachable unavailable offline outage
unreachable gone away offline
memory ram
processor cpu core
disk storage space
fast speed performance slow latency
slow speed performance
upgrade update migrate
version release edition
remove delete uninstall erase
install setup deploy run
start launch run begin
stop shutdown quit exit
restart reboot reload
reconnect disconnect resume
resume continue
disconnect drop cut lose
lose lost forgot
interrupt drop cut cancel
cancel abort stop
disable off
configure config setting option set
setting option config variable parameter
key token credential secret
password passphrase secret
login signin account sign
log logging
user person people member account colleague
admin administrator
invite invitation
share link
backup restore copy
schedule cron recurring
search query find
document file page
store keep save storage
encrypt encryption
license licence
monitor monitoring watch metric
metric prometheus
image picture photo screenshot
embed add integrate include widget
offline internet network
website site web homepage
browser safari chrome firefox
slow performance
usage used consume consumption
mac macos
price cost
limit quota maximum rate
language locale translation
source page site website
different disagree differ
install installation
import upload add
export download
database postgres sqlite
retry repeat again
duplicate unique twice
forever ever always
test testing
`);
