/**
 * The AsyncAPI 3 document of GET /v1/ws/search, built from the frames, the events and the error table. "receive" and
 * "send" are seen from the server: it receives what clients send. Schemas are draft 7, the version AsyncAPI tools read.
 */
import { closeCodes, type ErrorCode, errorTable } from './errors.ts';
import { type SearchEventType, searchEvents } from './events.ts';
import { clientFrameExamples, eventExamples, serverFrameExamples } from './examples.ts';
import {
  allCloseCodes,
  type ClientFrameType,
  clientFrames,
  type ServerFrameType,
  serverFrames,
  sessionLimits,
  subprotocol,
  ticketProtocolPrefix,
} from './frames.ts';
import { componentSchemas, type JsonSchema, reference } from './json-schemas.ts';
import { apiVersion, packageVersion } from './openapi.ts';
import { jsonLimits } from './requests.ts';
import { routes } from './routes.ts';

type MessageName = ClientFrameType | ServerFrameType | SearchEventType;

/** Returns the document as a JSON object, in the order in which it is written to asyncapi.json. */
export function asyncApiDocument(): JsonSchema {
  const schemas = componentSchemas('draft-7', { ...clientFrames, ...serverFrames });
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Citewire',
      version: apiVersion,
      description:
        `WebSocket, subprotocol \`${subprotocol}\`. Frames are text, one JSON object each. A search is a log of events ` +
        'numbered from 1 without gaps. A connection only reads the log, so a search outlives its connection; ' +
        '`search.resume` continues reading it. Clients ignore unknown types and fields.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      'x-citewire-version': packageVersion,
    },
    defaultContentType: 'application/json',
    servers: { own: { host: '{host}', protocol: 'ws', variables: { host: { default: '127.0.0.1:8080' } }, security } },
    channels: { search: channel() },
    operations: operations(),
    components: { messages: messages(), schemas, securitySchemes },
  };
}

const security = [{ $ref: '#/components/securitySchemes/apiKey' }, { $ref: '#/components/securitySchemes/ticket' }];

const securitySchemes = {
  apiKey: { type: 'httpApiKey', in: 'header', name: 'X-API-Key', description: 'For servers and command-line tools.' },
  ticket: {
    type: 'httpApiKey',
    in: 'header',
    name: 'Sec-WebSocket-Protocol',
    description: `For browser pages: the subprotocols \`${subprotocol}\` and \`${ticketProtocolPrefix}<ticket>\`. The server selects the first.`,
  },
};

function channel(): JsonSchema {
  const names = [...clientTypes, ...serverTypes, ...eventTypes];
  return {
    address: routes.search_socket.path,
    title: routes.search_socket.summary,
    messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
    servers: [{ $ref: '#/servers/own' }],
    bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
    'x-close-codes': Object.fromEntries(allCloseCodes.map((code) => [code, closeMeans(code)])),
    'x-limits': sessionLimits,
    'x-json-limits': jsonLimits,
  };
}

const clientTypes = Object.keys(clientFrames) as ClientFrameType[];
const serverTypes = Object.keys(serverFrames) as ServerFrameType[];
const eventTypes = Object.keys(searchEvents) as SearchEventType[];

/** The server's replies to each client frame; the events of a search follow `search.attached`. */
const replies: Record<ClientFrameType, { operation: string; with: ServerFrameType[] }> = {
  'search.start': { operation: 'startSearch', with: ['search.attached', 'rate_limit', 'error'] },
  'search.resume': { operation: 'resumeSearch', with: ['search.attached', 'resume.failed', 'error'] },
  'search.cancel': { operation: 'cancelSearch', with: ['error'] },
  'search.detach': { operation: 'detachSearch', with: ['error'] },
  ping: { operation: 'ping', with: ['pong'] },
};

function operations(): JsonSchema {
  const receive = clientTypes.map((type) => {
    const { operation, with: answers } = replies[type];
    const reply = { channel: searchChannel, messages: answers.map(channelMessage) };
    return [operation, { action: 'receive', channel: searchChannel, messages: [channelMessage(type)], reply }];
  });
  const send = (title: string, types: readonly MessageName[]) => ({
    action: 'send',
    channel: searchChannel,
    title,
    messages: types.map(channelMessage),
  });
  return {
    ...Object.fromEntries(receive),
    sendSession: send('Frames about the connection, not numbered', serverTypes),
    sendEvents: send('Events from the log of a search, numbered', eventTypes),
  };
}

const searchChannel = { $ref: '#/channels/search' };

function channelMessage(name: MessageName): JsonSchema {
  return { $ref: `#/channels/search/messages/${name}` };
}

function messages(): Record<string, JsonSchema> {
  const examples: Record<string, object> = { ...clientFrameExamples, ...serverFrameExamples, ...eventExamples };
  const described = { ...clientFrames, ...serverFrames, ...searchEvents };
  return Object.fromEntries(
    Object.entries(described).map(([name, schema]) => [
      name,
      { name, summary: schema.description ?? '', payload: reference(name), examples: [{ payload: examples[name] }] },
    ]),
  );
}

const ownMeans: Record<keyof typeof closeCodes, string> = {
  normal: 'The client closed the connection.',
  slow_consumer: 'The client did not read for 20 s; reconnect and resume.',
  lifetime: `The connection reached its maximum lifetime of ${sessionLimits.lifetime_s / 60} min; reconnect and resume.`,
};

/** Describes a close code, with the errors that share it; empty if the code is unknown. */
function closeMeans(code: number): string {
  const own = Object.entries(closeCodes).flatMap(([name, value]) =>
    value === code ? [ownMeans[name as keyof typeof closeCodes]] : [],
  );
  const errors = Object.entries(errorTable).flatMap(([name, row]) =>
    'close' in row && row.close === code ? [`\`${name as ErrorCode}\`: ${row.means}`] : [],
  );
  return [...own, ...errors].join(' ');
}
