/**
 * English words that say nothing about what is asked. Without them a query reads a tenth of the index; a query made of
 * nothing else is searched with them.
 */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are aren as at be because been before being below between
  both but by can cannot could couldn d did didn do does doesn doing don down during each either else ever every few
  for from further get gets getting give given gives go got had hadn has hasn have haven having he her here hers herself
  him himself his how however i if in into is isn it its itself just know let like ll m many may me might mine more most
  much must my myself need no nor not of off on once one only or other our ours ourselves out over own please
  really s same say shall she should shouldn so some such t tell than that the their theirs them themselves then there
  these they thing things this those through to too under until up upon us use used uses using ve very via want was
  wasn way we were weren what when where whether which while who whom whose why will with within without won would
  wouldn yes yet you your yours yourself yourselves`
    .split(/\s+/)
    .filter((word) => word !== ''),
);
