import KooberScreens
import KooberTexts
import PouchEntities

/// The page of a screen: its header and its content, and the dialogs that cover them.
struct WebPage {
    /// The whole document, for a browser that loads it.
    let document: HTML
    /// The part that changes, for a browser that has the document.
    let app: HTML

    init(_ context: PageContext) {
        let screen = context.screen
        let content = PageContent(screen.content, context, isCovered: screen.isCovered)
        app = tag(
            "div",
            [
                "id": "app", "data-title": content.title, "data-view": screen.view,
                "data-version": String(context.version),
            ]
        ) {
            tag("div", ["id": "page", "inert": screen.isCovered ? "" : nil]) {
                Self.header(context)
                tag("main", ["class": content.map == nil ? "narrow" : "wide"]) {
                    tag("div", ["class": "panel"]) {
                        tag(
                            "h1", ["tabindex": "-1", "autofocus": content.hasFocus || screen.isCovered ? nil : ""],
                            content.title)
                        // Always there, so that screen readers notice each new text.
                        tag(
                            "p", ["id": "status", "role": "status", "class": content.isBusy ? "busy" : nil],
                            content.status)
                        content.html
                    }
                    if let map = content.map { map }
                }
            }
            if let profile = screen.profile { ProfileDialog.html(profile, context, isCovered: screen.error != nil) }
            if let error = screen.error { ErrorDialog.html(error, context) }
        }
        document = Self.document(content.title, context.language, refresh: screen.refresh) { [app] in
            app
            tag("p", ["id": "lost", "role": "alert", "hidden": "", "data-text": context.language.text(.lost)], "")
        }
    }

    /// A page about a request, instead of a screen.
    static func notice(_ text: WebPhrase, _ language: Language) -> HTML {
        document(language.text(.appName), language, refresh: nil) {
            tag("div", ["id": "app", "data-title": language.text(.appName), "data-view": "notice"]) {
                tag("main", ["class": "narrow"]) {
                    tag("div", ["class": "panel"]) {
                        tag("h1", ["tabindex": "-1", "autofocus": ""], language.text(.appName))
                        tag("p", ["role": "status"], language.text(text))
                        tag("p") { tag("a", ["class": "button", "href": "/"], language.text(.backToKoober)) }
                    }
                }
            }
        }
    }

    /// - Parameter refresh: the number of seconds after which a browser without scripts reloads the page; nil for
    ///   never.
    private static func document(
        _ title: String, _ language: Language, refresh: Int?, @HTMLBuilder body: () -> HTML
    ) -> HTML {
        KooberWeb.document(
            tag("html", ["lang": language.rawValue]) {
                tag("head") {
                    void("meta", ["charset": "utf-8"])
                    void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
                    void("meta", ["name": "color-scheme", "content": "light dark"])
                    tag("title", title == language.text(.appName) ? title : "\(title) – \(language.text(.appName))")
                    void("link", ["rel": "stylesheet", "href": "/koober.css"])
                    void("link", ["rel": "icon", "href": "/icon.svg", "type": "image/svg+xml"])
                    tag("script", ["src": "/koober.js", "defer": ""], "")
                    if let refresh {
                        tag("noscript") { void("meta", ["http-equiv": "refresh", "content": String(refresh)]) }
                    }
                }
                tag("body") { body() }
            })
    }

    private static func header(_ context: PageContext) -> HTML {
        let screen = context.screen
        return tag("header") {
            tag("p", ["class": "brand"]) {
                Kangaroo.drawing(size: 1, classes: "logo")
                tag("span", context.language.text(.appName))
            }
            if screen.isOffline { tag("p", ["class": "offline", "role": "status"], context.text(.offline)) }
            if screen.content.hasProfile {
                // The button remains under a dialog, so that the focus returns to it.
                context.button(
                    .showProfile, context.text(.profile), style: "quiet",
                    isEnabled: screen.offers(.showProfile) || screen.isCovered)
            }
        }
    }
}

extension KooberScreen {
    /// Whether a dialog covers the content.
    var isCovered: Bool { profile != nil || error != nil }

    /// The identity of the page or dialog that the user sees. When it changes, the focus moves to the heading or into
    /// the dialog.
    fileprivate var view: String {
        if error != nil { return "error" }
        return profile == nil ? content.view : "profile"
    }

    /// The seconds after which a browser without scripts reloads the page, while the user waits for a result.
    fileprivate var refresh: Int? {
        if isCovered { return nil }
        switch content {
        case .launching, .gettingUserLocation: return 1
        case .signIn(let form), .signUp(let form): return form.isBusy ? 1 : nil
        case .pickMeUp(let screen): return screen.step.isBusy ? 1 : nil
        case .waitingForPickup(let screen): return screen.ride.status.isFinal ? nil : 3
        case .welcome: return nil
        }
    }
}

extension KooberScreen.Content {
    fileprivate var view: String {
        switch self {
        case .launching: "launching"
        case .welcome: "welcome"
        case .signIn: "sign-in"
        case .signUp: "sign-up"
        case .gettingUserLocation: "location"
        case .pickMeUp(let screen): screen.view
        case .waitingForPickup: "waiting"
        }
    }

    fileprivate var hasProfile: Bool {
        switch self {
        case .gettingUserLocation, .pickMeUp, .waitingForPickup: true
        case .launching, .welcome, .signIn, .signUp: false
        }
    }
}

extension PickMeUpScreen {
    fileprivate var view: String {
        switch step {
        case .initial: "map"
        case .selectDropoffLocation: "dropoff"
        case .selectRideOption: "options"
        // The focus moves to the button that confirms.
        case .confirmRequest: "confirm"
        case .sendingRideRequest: "sending"
        }
    }
}
