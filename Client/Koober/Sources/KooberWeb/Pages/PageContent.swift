import KooberScreens
import KooberTexts
import PouchEntities

/// The content of a page, which the page puts under its heading and next to its map.
struct PageContent {
    var title: String
    /// A sentence about the current status; may be empty.
    var status = ""
    /// Whether the status is work in progress.
    var isBusy = false
    var html = HTML.empty
    var map: HTML?
    /// Whether an element of the content receives the focus, instead of the heading.
    var hasFocus = false
}

extension PageContent {
    /// - Parameter isCovered: whether a dialog has the focus.
    init(_ content: KooberScreen.Content, _ context: PageContext, isCovered: Bool) {
        switch content {
        case .launching: self.init(title: context.language.text(.appName), busy: .starting, context)
        case .welcome: self = .welcome(context)
        case .signIn(let form): self = .signIn(form, context, isCovered: isCovered)
        case .signUp(let form): self = .signUp(form, context, isCovered: isCovered)
        case .gettingUserLocation: self.init(title: context.text(.whereAreYou), busy: .findingLocation, context)
        case .pickMeUp(let screen): self = .pickMeUp(screen, context, isCovered: isCovered)
        case .waitingForPickup(let screen): self = .waiting(screen, context)
        }
    }

    /// - Parameter busy: the work in progress; nil for none.
    init(title: String, busy: Phrase?, _ context: PageContext) {
        self.init(title: title, status: busy.map(context.text) ?? "", isBusy: busy != nil)
    }

    static func waiting(_ screen: WaitingScreen, _ context: PageContext) -> PageContent {
        let ride = screen.ride
        let content = KooberScreen.Content.waitingForPickup(screen)
        let state = KooberScreen(content)
        var page = PageContent(
            title: context.text(.yourRide), busy: screen.isCancelling ? .cancellingRide : nil, context)
        if !screen.isCancelling {
            page.status = context.text(ride.statusText)
            page.isBusy = ride.status == .requested
        }
        page.html = tag("div", ["class": "ride"]) {
            tag("dl", ["class": "facts"]) {
                fact(.pickup, ride.pickup, context)
                fact(.dropoff, ride.dropoff, context)
            }
            if let driver = ride.driver { tag("p", ["class": "driver"], context.text(driver.text)) }
            tag("p", ["class": "fare"], context.text(ride.fare))
            if state.offers(.cancelRide) { cancel(context) }
            if state.offers(.startNewRide) {
                context.button(.startNewRide, context.text(.startNewRide), style: "primary")
            }
        }
        page.map = CityMap(
            pickup: ride.pickup, dropoff: ride.dropoff, driver: ride.driver, trail: context.memory.screens.trail.points,
            isMoving: !ride.status.isFinal
        ).svg(context)
        return page
    }

    private static func fact(_ name: Phrase, _ place: DisplayablePlace, _ context: PageContext) -> HTML {
        tag("div") {
            tag("dt", context.text(name))
            tag("dd", context.text(place.name))
        }
    }

    /// Asks first, without a script: the question opens below the button.
    private static func cancel(_ context: PageContext) -> HTML {
        tag("details", ["id": "cancel", "class": "question"]) {
            tag("summary", ["id": "ask-to-cancel", "class": "button"], context.text(.cancelRide))
            tag("p", context.text(.askToCancelRide))
            context.button(.cancelRide, context.label(.cancelIt), style: "danger")
        }
    }
}
