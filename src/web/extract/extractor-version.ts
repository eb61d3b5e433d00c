/**
 * The version of the extraction. A cached page of another version is read again, so the version changes only with what is
 * extracted, never with how files are named or worded; a test checks both.
 */

/** 16 random hex digits, replaced when what is extracted changes: see test/web/extractor-version.test.ts. */
export const extractorVersion = '0de0fed6e8b7aebd';
