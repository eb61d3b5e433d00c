/** Lines of an exported chat, each with the time at which somebody wrote: "[05/04/2026, 18:02] Ines: So are we on?" */

const time = String.raw`\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s?[ap]\.?m\.?)?`;
const date = String.raw`\d{1,4}[./-]\d{1,2}[./-]\d{1,4}`;
/** As WhatsApp, Signal, Telegram and Slack export them. In brackets, a line without a name says what happened: "Ravi joined". */
const stamp = new RegExp(
  String.raw`^\s*(?:(?:\[(?:${date},? )?${time}\]|\[${time},? ${date}\]|${date},? ${time} -)\s+(?=\S)|${date} ${time}\s+(?=[^:\n]{1,40}:\s+\S))`,
  'i',
);

/** Where the message of such a line begins, at the name of who wrote it or did something; undefined for another line. */
export function startOfMessage(line: string): number | undefined {
  return stamp.exec(line)?.[0].length;
}
