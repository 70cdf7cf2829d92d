function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/u).filter((word) => word !== ""));
}

/**
 * The only words that may come with an approval; every other word, in any language, needs a signature of its own.
 * Both lists together hold at most 80 words, and no sentence made of them alone asks for a change.
 */
export const praise = words(`
  perfect perfectly great excellent brilliant awesome amazing fantastic wonderful superb outstanding lovely
  beautiful good nice strong clear memorable catchy love works bravo congratulations approved ok okay yes done
  thanks thank
  perfekt super toll klasse wunderbar hervorragend gut danke
  parfait excellente génial merci
  perfecto excelente genial gracias
  perfetto ottimo eccellente grazie
`);

/** Words that only carry a sentence of praise and say nothing alone. */
export const praiseCompany = words(`
  a absolutely and i is it it's job looks me really slogan team that's the this to truly very well work you
  gemacht sehr très muy molto
`);
