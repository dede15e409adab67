import Foundation

/// Where the programs are that were built beside the tests.
public enum BuiltProgram {
    public static func url(_ name: String) -> URL {
        let tests =
            Bundle.allBundles.first { $0.bundleURL.pathExtension == "xctest" }?.bundleURL.deletingLastPathComponent()
            ?? Bundle.main.bundleURL
        return tests.appending(path: name)
    }
}
