//! Reads numbers, in the groups and with the signs with which programs print them.

/// The meaning of a word of three digits after a space and a smaller number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spaces {
    /// `20 137` is 20137.
    Group,
    /// `20 137` is 20, and a number of something else.
    Separate,
    /// `20 137` is 137, after a number of something else.
    Last,
}

/// A number with or without a plus sign and thousands separators, and nothing else.
pub(super) fn number(text: &str) -> Option<u128> {
    thousands(text).or_else(|| lakhs(text))
}

/// A sign between groups of digits, in the locales in which programs print.
pub(super) fn is_separator(letter: char) -> bool {
    ",_'.\u{202f}\u{a0}\u{2019}\u{2009}\u{2007}".contains(letter)
}

/// A number without its plus sign, and without the letter that JavaScript and Python 2 print behind
/// long ones.
fn unsigned(text: &str) -> Option<&str> {
    let text = text.trim().trim_end_matches('.');
    let text = text.strip_prefix('+').unwrap_or(text);
    let text = text.strip_suffix(['n', 'L']).unwrap_or(text);
    text.starts_with(|letter: char| letter.is_ascii_digit()).then_some(text)
}

/// A number in Indian groups, as `1,97,281`.
fn lakhs(text: &str) -> Option<u128> {
    let groups: Vec<&str> = unsigned(text)?.split(',').collect();
    let [first, middle @ .., last] = &groups[..] else { return None };
    let is_grouped = !middle.is_empty()
        && first.len() <= 2
        && middle.iter().all(|group| group.len() == 2)
        && last.len() == 3;
    let digits = groups.concat();
    (is_grouped && digits.bytes().all(|it| it.is_ascii_digit())).then(|| digits.parse().ok())?
}

/// A number without groups, or in groups of three digits.
fn thousands(text: &str) -> Option<u128> {
    let text = unsigned(text)?;
    let groups: Vec<&str> = text.split(is_separator).collect();
    let is_fraction = groups.len() > 1 && groups[0] == "0";
    let is_grouped = !is_fraction && groups.iter().skip(1).all(|group| group.len() == 3);
    let digits: String = groups.concat();
    (is_grouped && digits.chars().all(|it| it.is_ascii_digit())).then(|| digits.parse().ok())?
}

/// The number at the beginning of a text. One space may separate groups of three digits; a tab, more
/// spaces or a comma with a space separate columns.
pub(super) fn leading_number(text: &str, spaces: Spaces) -> Option<u128> {
    const MARKS: [char; 4] = ['.', ',', ';', ')'];
    let text = text.trim_start();
    let word = text.split_ascii_whitespace().next()?.trim_end_matches(MARKS);
    // `20,12,345` may be three columns.
    let read = if spaces == Spaces::Group { number } else { thousands };
    let first = read(word).or_else(|| read(word.split_whitespace().next()?))?;
    let ends_in_digit = word.ends_with(|it: char| it.is_ascii_digit());
    if spaces != Spaces::Group || !(1..1000).contains(&first) || !ends_in_digit {
        return Some(first);
    }
    let mut digits = word.to_owned();
    let mut end = word.len();
    while let Some(rest) = text[end..].strip_prefix(' ') {
        let group = rest.split_ascii_whitespace().next().unwrap_or_default();
        let bare = group.trim_end_matches(MARKS);
        if !rest.starts_with(bare) || bare.len() != 3 || !bare.bytes().all(|it| it.is_ascii_digit())
        {
            break;
        }
        digits.push_str(bare);
        end += 1 + bare.len();
    }
    number(&digits)
}

/// Does the text begin with a number that is no count? Programs print a negative one or one with too
/// many digits if their counters overflow, and others if they count in floating point or print in
/// hexadecimal.
pub(super) fn is_no_count(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let digits = word.trim_start_matches(['-', '+']).trim_end_matches(['.', ',', ';', ')']);
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    if is_digits(digits) {
        return word.starts_with('-') || digits.parse::<u128>().is_err();
    }
    let lower = digits.to_ascii_lowercase();
    if let Some(hexadecimal) = lower.strip_prefix("0x") {
        return !hexadecimal.is_empty() && hexadecimal.bytes().all(|it| it.is_ascii_hexdigit());
    }
    // As `1.97281e+05` and `197281.0`. Other fractions are times and scores.
    let (mantissa, exponent) = lower.split_once('e').unwrap_or((&lower, ""));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let has_exponent = is_digits(exponent.strip_prefix('+').unwrap_or(exponent));
    let is_whole = is_digits(fraction) && fraction.bytes().all(|it| it == b'0');
    let is_alone = text.trim() == word;
    // `6.e6` is the sixth move of a list.
    is_digits(whole)
        && !mantissa.ends_with('.')
        && (has_exponent && (fraction.is_empty() || is_digits(fraction))
            || exponent.is_empty() && is_whole && is_alone && number(digits).is_none())
}
