//! Tokens as a short text.

use tabiya_pgn::{Error, Reader, Token};

/// One token: games are `<` and `>`, comments stand in braces, errors are `ERROR place kind`,
/// and a remark has a tilde.
pub(crate) fn token(token: &Result<Token<'_>, Error>) -> String {
    match token {
        Ok(Token::GameStart) => "<".to_owned(),
        Ok(Token::Tag(tag)) => format!("[{}={}]", tag.name, tag.value()),
        Ok(Token::Move(text)) => text.to_string(),
        Ok(Token::Comment(comment)) if comment.is_line => format!("{{;{}}}", comment.text),
        Ok(Token::Comment(comment)) => format!("{{{}}}", comment.text),
        Ok(Token::Nag(nag)) => nag.to_string(),
        Ok(Token::VariationStart) => "(".to_owned(),
        Ok(Token::VariationEnd) => ")".to_owned(),
        Ok(Token::Result(result)) => result.to_string(),
        Ok(Token::Remark(remark)) => format!("~{}", remark.text),
        Ok(Token::GameEnd) => ">".to_owned(),
        Ok(other) => panic!("{other:?}"),
        Err(error) => format!("ERROR {} {:?}", error.place(), error.kind()),
    }
}

/// All tokens of a file.
pub(crate) fn tokens(bytes: &[u8]) -> Vec<String> {
    Reader::from_bytes(bytes).map(|next| token(&next)).collect()
}

/// All tokens of a file on one line.
pub(crate) fn line(text: impl AsRef<[u8]>) -> String {
    tokens(text.as_ref()).join(" ")
}
