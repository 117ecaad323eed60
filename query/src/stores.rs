//! Stores of objects that URLs name: S3, Google Cloud Storage, Azure, and HTTP servers with WebDAV.

use crate::{args::Usage, sources::Dataset};
use anyhow::{Context, Result, bail};
use futures::TryStreamExt;
use jfathom_tables::Table;
use object_store::{
    ClientOptions, ObjectStore, ObjectStoreScheme, RetryConfig, aws::AmazonS3Builder,
    azure::MicrosoftAzureBuilder, gcp::GoogleCloudStorageBuilder, http::HttpBuilder, path::Path,
};
use std::{collections::BTreeSet, sync::Arc, time::Duration};
use url::{Position, Url};

/// How long a store that does not answer is asked again.
const PATIENCE: Duration = Duration::from_secs(15);
/// How often.
const RETRIES: usize = 4;

/// A directory of tables in a store.
#[derive(Debug)]
pub struct Remote {
    /// What the engine knows the store by: scheme and host.
    pub base: Url,
    /// The store.
    pub store: Arc<dyn ObjectStore>,
    /// The directory.
    folder: Path,
    /// Its URL, with a stroke at its end.
    url: Url,
}

impl Remote {
    /// The directory of a URL. Who asks, and from where, stands in the variables of each store:
    /// `AWS_…`, `GOOGLE_…`, `AZURE_…`.
    ///
    /// # Errors
    /// [`Usage`] for what is no URL of a store; variables that a store cannot take.
    pub fn open(place: &str) -> Result<Self> {
        let Ok(url) = Url::parse(place) else {
            bail!(Usage("a source with :// is no URL".to_owned()))
        };
        // A container of Azure stands where other URLs have a user.
        let is_azure = matches!(url.scheme(), "az" | "abfs" | "abfss");
        let has_user = !url.username().is_empty() && !is_azure;
        if url.password().is_some() || has_user || url.query().is_some() {
            bail!(Usage(format!(
                "{}://{}: a URL here has no secrets; they come from the environment",
                url.scheme(),
                url.host_str().unwrap_or_default()
            )));
        }
        let usage = |what: &str| anyhow::Error::new(Usage(format!("{place}: {what}")));
        let (scheme, folder) = ObjectStoreScheme::parse(&url).map_err(|_| {
            usage("a store is named by s3://, gs://, az://, abfss://, http:// or https://")
        })?;
        let retry =
            RetryConfig { max_retries: RETRIES, retry_timeout: PATIENCE, ..Default::default() };
        let text = url.as_str();
        let store: Arc<dyn ObjectStore> = match scheme {
            ObjectStoreScheme::Http => {
                let base = &url[..Position::BeforePath];
                let client = ClientOptions::new().with_allow_http(url.scheme() == "http");
                let store = HttpBuilder::new().with_url(base).with_client_options(client);
                Arc::new(store.with_retry(retry).build()?)
            }
            _ if matches!(url.scheme(), "http" | "https") => {
                return Err(usage("name the bucket or container: s3://BUCKET/… or az://…"));
            }
            ObjectStoreScheme::AmazonS3 => {
                Arc::new(AmazonS3Builder::from_env().with_url(text).with_retry(retry).build()?)
            }
            ObjectStoreScheme::GoogleCloudStorage => Arc::new(
                GoogleCloudStorageBuilder::from_env().with_url(text).with_retry(retry).build()?,
            ),
            ObjectStoreScheme::MicrosoftAzure => Arc::new(
                MicrosoftAzureBuilder::from_env().with_url(text).with_retry(retry).build()?,
            ),
            _ => return Err(usage("a directory of this machine is named by its path")),
        };
        let base = Url::parse(&url[..Position::BeforePath])?;
        let url = Url::parse(&format!("{}/", url.as_str().trim_end_matches('/')))?;
        Ok(Self { base, store, folder, url })
    }

    /// The directory as a source, with the keys of its partitions, read off the first file of its
    /// runs.
    ///
    /// # Errors
    /// The store cannot be reached or does not let us; there are no tables.
    pub async fn dataset(&self, place: &str) -> Result<Dataset> {
        let runs = self.folder.clone().join(Table::Runs.name());
        let mut files = self.store.list(Some(&runs));
        while let Some(file) = files.try_next().await.with_context(|| place.to_owned())? {
            if !file.location.as_ref().ends_with(".parquet") {
                continue;
            }
            let below = file.location.prefix_match(&runs).into_iter().flatten();
            let partitions = below
                .filter_map(|part| Some(part.as_ref().split_once('=')?.0.to_owned()))
                .collect();
            return Ok(Dataset { url: self.url.clone(), partitions, runs: BTreeSet::new() });
        }
        bail!(Usage(format!("{place}: has no tables: there is no file below {runs}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_urls_are_named_and_secrets_are_not() {
        for (place, expected) in [
            ("s3://key:s3cret@bucket/a", "s3://bucket: a URL here has no secrets"),
            ("https://a.blob.core.windows.net/c?sig=s3cret", "has no secrets"),
            ("https://s3.amazonaws.com/bucket/a", "s3://BUCKET/"),
            ("file:///tmp/a", "by its path"),
            ("ftp://a/b", "a store is named by"),
            ("://", "no URL"),
        ] {
            let error = Remote::open(place).unwrap_err().to_string();
            assert!(error.contains(expected) && !error.contains("s3cret"), "{place}: {error}");
        }
    }

    #[test]
    fn a_store_is_known_by_scheme_and_host() {
        let remote = Remote::open("http://127.0.0.1:9/shop/tables").unwrap();
        assert_eq!(remote.base.as_str(), "http://127.0.0.1:9/");
        assert_eq!(remote.folder.as_ref(), "shop/tables");
        let remote = Remote::open("s3://profiles/shop").unwrap();
        assert_eq!(remote.base.as_str(), "s3://profiles");
        assert_eq!(remote.folder.as_ref(), "shop");
    }
}
