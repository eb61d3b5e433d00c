/**
 * Which version of the extraction made a text. A cached page of another version is read again, so the version changes
 * only with what the extraction gives, never with how its files are named or worded: a test holds it to both.
 */

/** 16 hex digits; chosen by whoever changes what is extracted, see test/web/extractor-version.test.ts. */
export const extractorVersion = '9cf31832b81b5834';
