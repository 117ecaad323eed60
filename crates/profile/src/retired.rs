//! Fields of the profile file that profiles no longer have. Their places stay in the file, so that
//! files with them are read.

/// A field behind the place of the record intervals. They are written as none, and read over.
pub(crate) mod intervals_before {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Kinds of the two records, shortest time, and counts by bucket.
    type Intervals = (u8, u8, u64, Vec<(u16, u64)>);

    pub(crate) fn serialize<T: Serialize, S: Serializer>(
        field: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        (<&[Intervals]>::default(), field).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        let (_, field) = <(Vec<Intervals>, T)>::deserialize(deserializer)?;
        Ok(field)
    }
}
