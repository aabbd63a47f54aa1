"""What the model is told about the plugin's tool."""

RENDER_MICRO_APP = {
    "name": "render_micro_app",
    "description": (
        "Show the user an interactive micro-app: one self-contained HTML document that is displayed in the chat. "
        "Follow the micro-apps skill on when to use it and how the app must report back."
    ),
    "parameters": {
        "type": "object",
        "properties": {
            "title": {"type": "string", "description": "Short title shown above the app, at most 120 characters."},
            "html": {
                "type": "string",
                "description": "The complete HTML document with its styles and scripts inline. No placeholders.",
            },
            "archetype": {
                "type": "string",
                "description": "Kind of app, for example interactive_simulator, active_recall_deck, checklist_selector.",
            },
        },
        "required": ["title", "html"],
    },
}
