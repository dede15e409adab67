import Foundation
import KooberScreens
import KooberTexts
import PouchTerminal

/// The last rows of the window while the developer travels through a recording.
@MainActor
final class RecordingPanel {
    private let recording: any Recording
    private let language: Language
    private let export: @MainActor (Data) throws -> String
    private(set) var isOpen = false
    private var notice: Phrase?

    /// - Parameter export: writes an exported recording, and returns the name of the file.
    init(
        _ recording: any Recording, language: Language, export: @escaping @MainActor (Data) throws -> String
    ) {
        self.recording = recording
        self.language = language
        self.export = export
    }

    var showsPast: Bool { recording.showsPast }

    var block: any Block {
        let (step, last) = recording.position
        let place = "\(language.text(.step(step, of: last)))  \(recording.action ?? "")"
        return Paragraph(StyledText(notice.map(language.text) ?? place, .yellow))
    }

    var hints: [KeyHint] {
        [
            ("←", language.text(.back)), ("→", language.text(.forward)), ("e", language.text(.export)),
            ("Ctrl-T", language.text(.present)),
        ]
    }

    /// Receives all keys while it is open.
    func press(_ key: Key) -> Bool {
        guard isOpen || key == .control("t") else { return false }
        notice = nil
        switch key {
        case .control("t"), .escape:
            recording.returnToPresent()
            isOpen = key == .control("t") && !isOpen
        case .left: recording.goBack()
        case .right: recording.goForward()
        case .character("e"):
            notice = (try? export(recording.export())).map(Phrase.exported) ?? .notExported
        default: break
        }
        return true
    }
}

extension Recording {
    /// Whether the app shows a step before the latest one.
    public var showsPast: Bool { position.step < position.last }
}
