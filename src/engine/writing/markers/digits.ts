/** Digits that are written as characters of their own. */

/** From 0 on. */
export const superscriptDigits = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** Each from 1 on: in circles, filled circles, parentheses, and with a full stop. */
export const circledDigits = ['①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳', '❶❷❸❹❺❻❼❽❾❿', '➊➋➌➍➎➏➐➑➒➓', '⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽⑾⑿⒀⒁⒂⒃⒄⒅⒆⒇'] as const;
