//! Charts that depend on others: kept in the repository, which needs no network; or
//! fetched, from a repository over HTTP, also with a `Chart.lock`, which Helm refuses to
//! build from as long as nobody adds the repository.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::support::argocd::Call;
use crate::support::helm::Helm;
use crate::support::release::Release;

/// A chart repository on loopback, until it goes.
struct Repository {
    folder: tempfile::TempDir,
    url: String,
    asked: Arc<AtomicUsize>,
    ends: Arc<AtomicBool>,
}

impl Drop for Repository {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::SeqCst);
        // Wakes the listener up.
        TcpStream::connect(self.url.trim_start_matches("http://")).ok();
    }
}

impl Repository {
    /// Holds a chart `child` of one object; `login` is what it wants to be told.
    fn serving(helm: &Helm, login: Option<&'static str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let chart = folder.path().join("child");
        fs::create_dir_all(chart.join("templates")).unwrap();
        fs::write(chart.join("Chart.yaml"), "apiVersion: v2\nname: child\nversion: 1.0.0\n").unwrap();
        fs::write(chart.join("templates/a.yaml"), "kind: Child\nmetadata: {name: child}\n").unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let path = folder.path().to_str().unwrap();
        helm.run(["package", chart.to_str().unwrap(), "--destination", path]).expect_ok();
        helm.run(["repo", "index", path, "--url", &url]).expect_ok();
        let (asked, ends) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let server = (folder.path().to_owned(), Arc::clone(&asked), Arc::clone(&ends));
        std::thread::spawn(move || {
            let (folder, asked, ends) = server;
            for stream in listener.incoming() {
                if ends.load(Ordering::SeqCst) {
                    return;
                }
                asked.fetch_add(1, Ordering::SeqCst);
                // A client that goes away is its own business.
                stream.and_then(|stream| answer(stream, &folder, login)).ok();
            }
        });
        Self { folder, url, asked, ends }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

fn answer(mut stream: TcpStream, folder: &Path, login: Option<&str>) -> std::io::Result<()> {
    let lines: Vec<String> = BufReader::new(stream.try_clone()?)
        .lines()
        .map_while(Result::ok)
        .take_while(|line| !line.is_empty())
        .collect();
    let name = lines
        .first()
        .and_then(|line| line.split(' ').nth(1))
        .unwrap_or("/")
        .trim_start_matches('/')
        .to_owned();
    let is_known = login.is_none_or(|login| lines.iter().any(|line| line.ends_with(login)));
    let (status, body) = match fs::read(folder.join(name)) {
        _ if !is_known => ("401 Unauthorized", Vec::new()),
        Ok(body) => ("200 OK", body),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len())?;
    stream.write_all(&body)
}

/// An application whose chart depends on `child` from a repository.
fn application(helm: &Helm, url: &str) -> Call {
    let mut call = Call::at("apps/demo");
    call.set("HELM_BIN", &helm.program);
    call.write(
        "Chart.yaml",
        &format!(
            "apiVersion: v2\nname: demo\nversion: 1.0.0\ndependencies:\n  - {{name: child, version: 1.x, repository: '{url}'}}\n"
        ),
    );
    call
}

/// Has Helm write a `Chart.lock`, and fetch or not.
fn lock(helm: &Helm, call: &Call, url: &str, keep: bool) {
    let folder = call.folder();
    let folder = folder.to_str().unwrap();
    helm.run(["repo", "add", "there", url]).expect_ok();
    helm.run(["dependency", "update", folder]).expect_ok();
    helm.run(["repo", "remove", "there"]).expect_ok();
    if !keep {
        fs::remove_dir_all(call.folder().join("charts")).unwrap();
    }
    assert!(call.folder().join("Chart.lock").exists());
}

fn archive(call: &Call) -> PathBuf {
    call.folder().join("charts/child-1.0.0.tgz")
}

fn has_child(rendered: &str) -> bool {
    assert!(rendered.starts_with("---\n"), "{rendered}");
    Release::of(rendered).names().contains(&"Child child")
}

#[test]
fn a_lock_without_repositories_is_built_from() {
    for helm in Helm::both() {
        let repository = Repository::serving(&helm, None);
        let call = application(&helm, &repository.url);
        lock(&helm, &call, &repository.url, false);
        let run = call.run("init");
        assert_eq!((run.code, run.stdout.as_slice()), (0, &b""[..]), "{}", run.summary());
        assert!(archive(&call).exists());
        let asked = repository.asked();
        assert!(has_child(&call.generated()));
        assert_eq!(repository.asked(), asked, "what is there was fetched again");
        assert!(call.left_behind().is_empty());
    }
}

/// Argo CD runs `init` first, but somebody's own plugin.yaml may leave it out.
#[test]
fn generate_fetches_by_itself_what_is_missing() {
    for helm in Helm::both() {
        let repository = Repository::serving(&helm, None);
        let locked = application(&helm, &repository.url);
        lock(&helm, &locked, &repository.url, false);
        assert!(has_child(&locked.generated()));
        assert!(has_child(&application(&helm, &repository.url).generated()), "without a lock");
    }
}

#[test]
fn what_is_kept_in_the_repository_needs_no_network() {
    for helm in Helm::both() {
        let repository = Repository::serving(&helm, None);
        let mut call = application(&helm, &repository.url);
        lock(&helm, &call, &repository.url, true);
        let asked = repository.asked();
        for offline in [false, true] {
            if offline {
                call.set("GERM_POST_OFFLINE", "1");
            }
            assert_eq!(call.run("init").code, 0);
            assert!(has_child(&call.generated()));
        }
        assert_eq!(repository.asked(), asked);

        fs::remove_file(archive(&call)).unwrap();
        for verb in ["init", "generate"] {
            let run = call.run(verb);
            assert_eq!(run.code, 2, "{verb}");
            assert!(run.stderr.starts_with("error[dependencies-missing]"), "{}", run.stderr);
            assert!(run.stderr.contains("child") && run.stderr.contains("charts/*.tgz"), "{}", run.stderr);
        }
        assert_eq!(repository.asked(), asked, "it was to fetch nothing");
    }
}

/// Argo CD gives plugins no credentials; the operator can mount Helm's own list.
#[test]
fn credentials_come_from_a_mounted_list_and_are_not_told() {
    // `me:hunter2`.
    let login = "Basic bWU6aHVudGVyMg==";
    for helm in Helm::both() {
        let repository = Repository::serving(&helm, Some(login));
        let mut call = application(&helm, &repository.url);
        let refused = call.run("init");
        assert_eq!(refused.code, 2);
        assert!(refused.stderr.contains("401 Unauthorized"), "{}", refused.stderr);

        let list = call.place().join("repositories.yaml");
        let text = |password: &str| {
            format!(
                "repositories:\n  - {{name: ours, url: '{}', username: me, password: {password}}}\n",
                repository.url
            )
        };
        fs::write(&list, text("wrong-hunter2")).unwrap();
        call.set("HELM_REPOSITORY_CONFIG", &list);
        let refused = call.run("init");
        assert_eq!(refused.code, 2);
        assert!(!refused.stderr.contains("hunter2"), "{}", refused.stderr);

        fs::write(&list, text("hunter2")).unwrap();
        assert!(has_child(&call.generated()));
        assert_eq!(fs::read_to_string(&list).unwrap(), text("hunter2"));
    }
}

#[test]
fn a_chart_from_a_folder_has_to_be_in_the_repository() {
    for helm in Helm::both() {
        let repository = Repository::serving(&helm, None);
        let outside = repository.folder.path().join("child");
        let call = application(&helm, &format!("file://{}", outside.display()));
        for verb in ["init", "generate"] {
            let run = call.run(verb);
            assert_eq!(run.code, 2);
            assert!(
                run.stderr.contains("the dependency child lies outside of the repository"),
                "{}",
                run.stderr
            );
        }
        let call = application(&helm, "file://../../charts/child");
        call.write("../../charts/child/Chart.yaml", "apiVersion: v2\nname: child\nversion: 1.0.0\n");
        call.write("../../charts/child/templates/a.yaml", "kind: Child\nmetadata: {name: child}\n");
        assert!(has_child(&call.generated()));
    }
}
