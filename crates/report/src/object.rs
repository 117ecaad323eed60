//! How objects of JSON documents are declared.

/// Declares a JSON object: a struct that serializes to its keys in camel case, and the function
/// `of` that makes it from something. A line has a key, its type and its value; its documentation
/// is what the reference says (`docs/reference/json.md`).
macro_rules! object {
    (
        $(#[$of_object:meta])*
        $name:ident $(<$life:lifetime>)? ($($from:ident: $from_type:ty),* $(,)?) {
            $($(#[$of_key:meta])* $key:ident: $key_type:ty = $value:expr,)*
        }
    ) => {
        $(#[$of_object])*
        #[derive(serde::Serialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $name $(<$life>)? {
            $($(#[$of_key])* $key: $key_type,)*
        }

        impl $(<$life>)? $name $(<$life>)? {
            pub(crate) fn of($($from: $from_type),*) -> Self {
                Self { $($key: $value),* }
            }
        }
    };
}
