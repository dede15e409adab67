#if Program
    import ArgumentParser
    import Foundation
    import KooberScreens
    import PouchClient

    /// The place where the user left the app, in a file of the device.
    struct StoredPlace: Sendable {
        fileprivate let url: URL
        private let file: PrivateFile

        init(in storage: DeviceStorage) {
            url = storage.sessionFile.deletingPathExtension().appendingPathExtension("place.json")
            file = PrivateFile(url)
        }

        /// Also returns nil if the file cannot be read.
        func read() async -> Destination? {
            guard let data = try? await file.read() else { return nil }
            return try? JSONDecoder().decode(Destination.self, from: data)
        }

        /// Stores each place at which the user arrives, so that even a killed process leaves the last one.
        ///
        /// - Parameters:
        ///   - screens: yields with each change.
        ///   - current: returns the current screen; nil while it is from a recording rather than the user's place.
        @MainActor
        func follow(_ screens: AsyncStream<KooberScreen>, current: () -> KooberScreen?) async {
            var stored: Destination?
            for await _ in screens {
                guard let screen = current(), screen.content.isPlace else { continue }
                let place = Destination(screen)
                guard place != stored, let data = try? JSONEncoder().encode(place) else { continue }
                // Without the file, the app starts at its first screen.
                try? await file.write(data)
                stored = place
            }
        }
    }

    extension KooberScreen.Content {
        /// Whether the user came here. Otherwise the app is on the way to another place, and the stored one is kept.
        fileprivate var isPlace: Bool {
            switch self {
            case .launching, .gettingUserLocation: false
            case .pickMeUp(let screen):
                // A search is a place while it runs, too.
                if case .selectDropoffLocation = screen.step { true } else { !screen.step.isBusy }
            case .welcome, .signIn, .signUp, .waitingForPickup: true
            }
        }
    }

    /// Stores the exported recording of an app, which names its user and the places of the rides.
    ///
    /// - Parameter place: nil for an app that stores nothing; the file is then in the current folder.
    /// - Returns: the path of the file.
    func store(recording: Data, at place: StoredPlace?) throws -> String {
        let url =
            place?.url.deletingPathExtension().deletingPathExtension().appendingPathExtension("actions.json")
            ?? URL(filePath: "koober.actions.json")
        try PrivateFile.replace(url, with: recording)
        return url.path
    }

    /// A text file to which lines are appended, also by other processes. Only its owner may read a new one.
    @MainActor
    final class LineFile {
        private let handle: FileHandle

        init(_ path: String) throws {
            let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
            guard descriptor >= 0 else { throw ValidationError("The file \(path) cannot be written.") }
            handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        }

        func write(_ line: String) {
            // A log that cannot be written, for example on a full disk, must not end the ride.
            try? handle.write(contentsOf: Data((line + "\n").utf8))
        }
    }
#endif
