import { describe, expect, it } from 'vitest';
import { readAskedForm } from '../../../src/model/extractive/question/asked/asked-form.ts';
import { thingAskedFor } from '../../../src/model/extractive/question/asked/asked-thing.ts';

/** Whether a text may answer a question, by the form of what is asked for alone. */
function mayAnswer(question: string, text: string, isRow = false): boolean {
  const form = readAskedForm(question);
  return form === undefined || !form.isRequired || form.count(text, isRow) > 0 || form.isOther(text);
}

describe('the form of what a question asks for', () => {
  it.each([
    ['How loud is the pump?', 'The pump makes 47 dB.', 'The pump works at 9 bar.'],
    ['How heavy is the outdoor unit?', 'It weighs 128 kg.', 'It is 865 mm high.'],
    ['How big is a plot?', 'A plot has 120 square metres.', 'A plot is £60 a year.'],
    ['What is her email address?', 'Write to ada@example.org.', 'You can reach me on 087 555 0133.'],
    ['What is the phone number of the office?', 'Call 087 555 0133.', 'We ring you within the hour.'],
    [
      'How much does the broker cost?',
      'A licence is 40 euros a month.',
      'We handle 900,000 jobs, with peaks of 60 a second.',
    ],
    // "am" is no metre, and "at full" no tonne.
    ['How big is the flat?', 'It has 62 square metres.', 'It is quiet between 10 pm and 7 am.'],
    ['How heavy is the robot?', 'It weighs 3.4 kg.', 'It makes 67 dB at full power.'],
    ['How much does the robot cost?', 'It is sold for £240.', 'Mop cloths are not included.'],
    ['By how much can they put the rent up?', 'By no more than 4 %.', 'They must announce it in writing.'],
    ['How long are lines kept?', '`retention` | `14d`', '`listen` | `0.0.0.0:5514`'],
    ['How much is the stove?', 'It sells for €89.', 'Poke a blocked jet free with the needle.'],
    ['How old is the building?', 'It was built in 1895.', 'Keep your child at home for 48 hours.'],
    ['How many cups does it brew?', 'It brews two cups.', 'Grind 18 g of coffee.'],
    ['Who is the owner?', 'The shop belongs to Femi Adeyemi.', 'Lockers are emptied by the owner in Mill Road.'],
    ['Who does the examination?', 'Ada examines you.', 'Milk is not allowed.'],
    ['Who has the keys?', 'Fleming keeps the keys.', 'Keys are kept in the hall.'],
    ['Who opens the hall?', 'Fleming opens the hall at 8.', 'Boarding opens at 8.'],
    ['Who is the treasurer?', 'Fleming is the treasurer.', 'Boarding is from the left.'],
    ['Who can help on Mondays?', 'Marta is available on Mondays.', 'Help is not included.'],
    ['Who has time on Friday?', 'Tom is free on Fridays.', 'Boarding ends at 9 on Fridays.'],
    ['Who repairs the bridge?', 'Luca keeps it in repair.', 'Until then the way round is by Station Road.'],
    ['What colours does it come in?', 'The lamp is sold in red and grey.', 'Press the button on the lamp.'],
    ['What time do you open?', 'We open at 8:30.', 'A skin test is needed 48 hours before.'],
    ['What time is it served?', 'It is served from noon.', 'Take the drops four times a day.'],
    ['Where do I report?', 'Report to the desk on the second floor.', 'The certificate is valid, signed and paid.'],
    ['Where can I stop?', 'You can stop here overnight.', 'Where it rains, nobody stops.'],
    ['How can I reach her?', 'Porto · ada@example.org', 'Nurse (2014–2015)'],
    ['Which company sells the buffer?', 'The buffer comes from Larkfield Supplies.', 'The buffer is warmed to 65 °C.'],
  ])('is had by some texts only: %s', (question, answer, other) => {
    expect(mayAnswer(question, answer)).toBe(true);
    expect(mayAnswer(question, other)).toBe(false);
  });

  it('is a bare number in a table, whose unit stands above the column', () => {
    expect(mayAnswer('How much is the soup?', 'Soup | 7', true)).toBe(true);
    expect(mayAnswer('How much is the soup?', 'Soup | with bread', true)).toBe(false);
  });

  it.each([
    ['How long is the guarantee?', 'The guarantee is for life.'],
    ['How many guests can we bring?', 'There is no limit to guests.'],
    ['Until when can we stay?', 'The garden is open until dusk.'],
    ['When is my card charged?', 'It is charged when the parcel leaves.'],
    ['Who do I tell about a fault?', 'Faults are reported to reception.'],
    ['What unit is weight given in?', 'Weights are in grams.'],
    ['In what time zone are they?', 'Times are in UTC.'],
    ['Within what time do you answer?', 'We reply within one month.'],
  ])('may be words: %s', (question, answer) => {
    expect(mayAnswer(question, answer)).toBe(true);
  });

  it('is how often something happens, or a number that something has, and not how many there are', () => {
    expect(mayAnswer('How many times does it beep?', 'When it is full, it beeps ten times and stops.')).toBe(true);
    expect(mayAnswer('How many times does it beep?', 'When it is full, it beeps and stops.')).toBe(false);
    expect(mayAnswer('What is the part number of the filter?', 'Replace the filter (AQ-F3).')).toBe(true);
    expect(mayAnswer('What is the total number of seats?', 'Seats are in the hall.')).toBe(false);
  });

  it('may stand in a table for a number of times, too', () => {
    expect(mayAnswer('How many times is a job tried?', 'max_attempts | 5 | tries before it is dropped', true)).toBe(
      true,
    );
  });

  it('is not required where the words of a question leave it open', () => {
    expect(mayAnswer('Can I bring my dog?', 'Dogs wait outside.')).toBe(true);
    expect(mayAnswer('What happens if I pay late?', 'We send a reminder.')).toBe(true);
    expect(mayAnswer('Why is it closed?', 'The pier has cracks.')).toBe(true);
  });

  it('is not the value that the question has itself', () => {
    expect(mayAnswer('Who succeeded Linnea Berg as treasurer?', 'Absent with notice: Linnea Berg.')).toBe(false);
  });
});

describe('the thing that a question asks after', () => {
  it.each([
    ['Is there a cot for babies?', 'cot'],
    ['Does Heron support MySQL?', 'mysql'],
    ['do you have live music', 'music'],
    ['Can I bring my dog inside?', 'dog'],
    ['Are there any rooms with a balcony?', 'room'],
    ['Who is the present director of the museum?', 'director'],
    ['What is the weight of the boat?', 'weight'],
    ['What does a personal training session cost?', 'session'],
    ['In what year was the club founded?', 'found'],
    ['Is the bag waterproof?', 'waterproof'],
  ])('is named in %s', (question, thing) => {
    expect(thingAskedFor(question)).toBe(thing);
  });

  it('is not named in other questions', () => {
    for (const question of [
      'Is the pool open?',
      'How much is a cot?',
      'Can I pay by card?',
      'Do I have to pay for a blocked drain?',
      'Who has the key?',
      'Is there something to eat on the ferry?',
    ])
      expect(thingAskedFor(question)).toBeUndefined();
  });
});
