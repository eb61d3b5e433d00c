/**
 * A chat over Citewire on one page: `useChat` of the AI SDK, with the steps of the research while it runs, the answer, and
 * under it each citation with its quote. A page that is reloaded, or loses its connection, gets the rest of its answer.
 *
 * In a Next.js app this is `app/page.tsx`, and route.ts beside it `app/api/chat/[[...path]]/route.ts`.
 */
'use client';

import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport, type UIMessage } from 'ai';
import { type FormEvent, useState } from 'react';

/** The parts that Citewire adds to a message, as far as this page shows them. */
type Message = UIMessage<
  { search_id?: string; status?: string },
  {
    step: { title: string; status: 'running' | 'ok' | 'error' | 'skipped'; summary?: string };
    citation: { n: number; url: string; quote: string };
  }
>;

const transport = new DefaultChatTransport<Message>({ api: '/api/chat' });

export default function Page({ chatId = 'demo' }: { readonly chatId?: string }) {
  const [text, setText] = useState('');
  const { messages, sendMessage, status, error, resumeStream } = useChat<Message>({
    id: chatId,
    transport,
    resume: true,
  });
  const isBusy = status === 'submitted' || status === 'streaming';

  function ask(event: FormEvent) {
    event.preventDefault();
    if (text.trim() === '' || isBusy) return;
    void sendMessage({ text });
    setText('');
  }

  return (
    <main>
      {messages.map((message) => (
        <article key={message.id}>
          <Answer message={message} />
        </article>
      ))}
      {error !== undefined && (
        <p>
          The answer broke off.{' '}
          <button type="button" onClick={() => void resumeStream()}>
            Continue
          </button>
        </p>
      )}
      <form onSubmit={ask}>
        <input value={text} onChange={(event) => setText(event.target.value)} aria-label="Your question" />
        {/* Leaving does not end a search; this does. */}
        {isBusy && (
          <button type="button" onClick={() => void fetch(`/api/chat/${chatId}/stop`, { method: 'POST' })}>
            Stop
          </button>
        )}
      </form>
    </main>
  );
}

function Answer({ message: { parts } }: { readonly message: Message }) {
  const step = parts.findLast((part) => part.type === 'data-step');
  return (
    <>
      {step?.data.status === 'running' && <p aria-live="polite">{step.data.title} …</p>}
      <p>{parts.map((part) => (part.type === 'text' ? part.text : '')).join('')}</p>
      <ul>
        {parts.map((part) =>
          part.type !== 'data-citation' ? null : (
            <li key={part.id}>
              [{part.data.n}] <q>{part.data.quote}</q> — <a href={part.data.url}>{part.data.url}</a>
            </li>
          ),
        )}
      </ul>
    </>
  );
}
