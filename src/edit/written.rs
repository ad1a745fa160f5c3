//! Operations inside a value that is new itself: written by an operation before,
//! or written out from an alias or a merge key.

use super::error::Refusal;
use super::operation::{Action, NewValue};

/// Carries `action` out at `path` below `value`. The path has at least one token.
pub(super) fn edit(value: &mut NewValue, path: &[String], action: &Action) -> Result<(), Refusal> {
    let Some((token, rest)) = path.split_first() else {
        return Err(Refusal::Missing);
    };
    match value {
        NewValue::Mapping(entries) => {
            let at = entries.iter().position(|(name, _)| name == token);
            match (at, rest.is_empty(), action) {
                (Some(at), false, _) => edit(&mut entries[at].1, rest, action),
                (Some(at), true, Action::Remove) => {
                    entries.remove(at);
                    Ok(())
                }
                (Some(at), true, Action::Add { value, .. } | Action::Replace { value }) => {
                    entries[at].1 = value.clone();
                    Ok(())
                }
                (None, true, Action::Add { value, after }) => {
                    let behind =
                        after.iter().find_map(|key| entries.iter().position(|(name, _)| name == key));
                    let at = behind.map_or(entries.len(), |behind| behind + 1);
                    entries.insert(at, (token.clone(), value.clone()));
                    Ok(())
                }
                (None, ..) => Err(Refusal::Missing),
            }
        }
        NewValue::Sequence(items) => {
            if let (true, Action::Add { value, .. }) = (rest.is_empty(), action) {
                let at = insertion_index(token, items.len()).ok_or(Refusal::BadIndex)?;
                items.insert(at, value.clone());
                return Ok(());
            }
            let at = item_index(token, items.len()).ok_or(Refusal::BadIndex)?;
            match (rest.is_empty(), action) {
                (false, _) => edit(&mut items[at], rest, action),
                (true, Action::Remove) => {
                    items.remove(at);
                    Ok(())
                }
                (true, Action::Add { value, .. } | Action::Replace { value }) => {
                    items[at] = value.clone();
                    Ok(())
                }
            }
        }
        NewValue::Plain(_) | NewValue::Str { .. } => Err(Refusal::NotACollection),
    }
}

/// The value at `path` below `value`.
pub(super) fn find<'v>(value: &'v NewValue, path: &[String]) -> Option<&'v NewValue> {
    path.iter().try_fold(value, |value, token| match value {
        NewValue::Mapping(entries) => entries.iter().find(|(name, _)| name == token).map(|(_, value)| value),
        NewValue::Sequence(items) => items.get(item_index(token, items.len())?),
        _ => None,
    })
}

/// The index that a token means among `length` items: decimal, no leading zero.
pub(super) fn item_index(token: &str, length: usize) -> Option<usize> {
    let decimal = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
    if !decimal || (token.len() > 1 && token.starts_with('0')) {
        return None;
    }
    token.parse().ok().filter(|index| *index < length)
}

/// The index in front of which a token asks to insert; `-` is behind all.
pub(super) fn insertion_index(token: &str, length: usize) -> Option<usize> {
    if token == "-" { Some(length) } else { item_index(token, length + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn run(value: serde_json::Value, path: &str, action: Action) -> Result<serde_json::Value, Refusal> {
        let mut new = NewValue::from(&value);
        let path: Vec<String> = path.split('/').map(str::to_owned).collect();
        edit(&mut new, &path, &action).map(|()| new.to_json())
    }

    fn add(value: serde_json::Value) -> Action {
        Action::Add { value: NewValue::from(&value), after: Vec::new() }
    }

    fn set(value: serde_json::Value) -> Action {
        Action::Replace { value: NewValue::from(&value) }
    }

    #[test]
    fn a_new_key_stands_behind_the_one_it_follows() {
        let after = ["no".to_owned(), "a".to_owned()].to_vec();
        let action = Action::Add { value: NewValue::from(&json!(2)), after };
        let mut new = NewValue::from(&json!({"a": 1, "c": 3}));
        assert_eq!(edit(&mut new, &["b".to_owned()], &action), Ok(()));
        let NewValue::Mapping(entries) = &new else { panic!() };
        assert_eq!(entries.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
    }

    #[test]
    fn follows_rfc_6902() {
        let value = json!({"a": [1, {"b": 2}]});
        assert_eq!(run(value.clone(), "a/1/c", add(json!(3))), Ok(json!({"a": [1, {"b": 2, "c": 3}]})));
        assert_eq!(run(value.clone(), "a/-", add(json!(3))), Ok(json!({"a": [1, {"b": 2}, 3]})));
        assert_eq!(run(value.clone(), "a/0", add(json!(3))), Ok(json!({"a": [3, 1, {"b": 2}]})));
        assert_eq!(run(value.clone(), "a/0", Action::Remove), Ok(json!({"a": [{"b": 2}]})));
        assert_eq!(run(value.clone(), "x", Action::Remove), Err(Refusal::Missing));
        assert_eq!(run(value.clone(), "x", set(json!(3))), Err(Refusal::Missing));
        assert_eq!(run(value.clone(), "a/+0", Action::Remove), Err(Refusal::BadIndex));
        assert_eq!(run(value.clone(), "a/3", add(json!(3))), Err(Refusal::BadIndex));
        assert_eq!(run(value.clone(), "a/01", Action::Remove), Err(Refusal::BadIndex));
        assert_eq!(run(value, "a/0/x", Action::Remove), Err(Refusal::NotACollection));
    }
}
